#include "memo/learn/shape.h"

#include <string.h>

#include "memo/learn/flow.h"
#include "memo/learn/paths.h"

#define DEPTH_MAX 6 /* calls within calls */
#define TOUCHES_MAX 256

struct known {
	struct code *code;
	struct flow flow;
	struct shape **at; /* by instruction */
};

struct shapes {
	struct symex_program *p;
	VEC(struct known *) known;
};

struct shapes *shapes_new(struct symex_program *p)
{
	struct shapes *s = xcalloc(1, sizeof(*s));

	s->p = p;
	return s;
}

void shapes_free(struct shapes *s)
{
	if (!s)
		return;
	for (size_t k = 0; k < s->known.count; k++) {
		struct known *x = s->known.items[k];

		for (size_t i = 0; i < x->code->insns.count; i++)
			if (x->at[i]) {
				vec_free(&x->at[i]->slots);
				vec_free(&x->at[i]->touches);
				free(x->at[i]);
			}
		free(x->at);
		flow_free(&x->flow);
		free(x);
	}
	vec_free(&s->known);
	free(s);
}

static struct known *known_of(struct shapes *s, struct code *code)
{
	struct known *x;

	for (size_t k = 0; k < s->known.count; k++)
		if (s->known.items[k]->code == code)
			return s->known.items[k];
	x = xcalloc(1, sizeof(*x));
	x->code = code;
	x->at = xcalloc(code->insns.count + 1, sizeof(*x->at));
	flow_make(&x->flow, code);
	vec_push(&s->known, x);
	return x;
}

/* ---- what is done ---- */

struct walk {
	struct shapes *s;
	struct shape *out;
	struct paths_frame frame; /* of the function that is walked */
	unsigned depth;
};

static bool touch(struct walk *w, uint32_t slot, uint32_t bytes, int64_t offset, bool write,
		  bool private)
{
	struct paths found = {.count = 0};

	if (!paths_of(&w->frame, slot, &found))
		return false;
	for (unsigned i = 0; i < found.count; i++) {
		struct shape_touch t = {found.items[i], bytes, write, private};

		t.path.offset += offset;
		if (t.path.root == SHAPE_FRESH && !t.path.loads)
			continue;
		if (w->out->touches.count == TOUCHES_MAX)
			return false;
		vec_push(&w->out->touches, t);
	}
	return true;
}

/* Of the frame the branch is in. */
static void writes_slots(struct walk *w, uint32_t first, uint32_t count)
{
	if (!w->depth && count)
		vec_push(&w->out->slots, ((struct shape_slots){first, count}));
}

static bool is_one_of(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(*list, name))
			return true;
	return false;
}

static const char *const markers[] = {
	"heddle_hook_branch", "heddle_hook_spin", "heddle_hook_spin_enter", "heddle_hook_enter",
	"heddle_hook_leave",  "heddle_hook_into", "heddle_hook_at",	    "heddle_hook_compare",
	NULL};
static const char *const blocks[] = {"heddle_hook_memcpy", "heddle_hook_memmove", "memcpy",
				     "memmove", NULL};
static const char *const fills[] = {"heddle_hook_memset", "memset", NULL};
static const char *const numbers[] = {"abs", "labs", "llabs", NULL};
/* The format is argument 0, or 1. */
static const char *const prints0[] = {"printf", "puts", "perror", NULL};
static const char *const prints1[] = {"fprintf", NULL};
static const char *const characters[] = {"putchar", "fputc", "putc", NULL};

/* A text that is part of the program and has nothing in it that leads to other memory. */
static bool plain_text(struct walk *w, const struct code_call *c, unsigned arg)
{
	uint64_t at, byte = 0;
	char before = 0;
	expr_id e;

	if (arg >= c->count || !paths_constant(&w->frame, c->args[arg].slot, &at))
		return false;
	for (;; at++) {
		if (!mem_load(&w->s->p->image, at, 1, &byte, &e) || e)
			return false;
		if (!byte)
			return true;
		if (before == '%' && (byte == 's' || byte == 'n' || byte == '*' || byte == 'm'))
			return false;
		before = before == '%' && strchr("0123456789.-+ #lhzjt", (int)byte) ? '%'
										    : (char)byte;
	}
}

static bool is_print(struct walk *w, const struct code_call *c, const char *name)
{
	if (is_one_of(name, prints0))
		return plain_text(w, c, 0);
	if (is_one_of(name, prints1))
		return plain_text(w, c, 1);
	return is_one_of(name, characters);
}

/* Which function a call is told about in advance: its effects are looked at where it is made. */
static bool announces(struct walk *w, const struct code_call *c)
{
	const struct program_function *f;
	uint64_t at;

	if (!paths_constant(&w->frame, c->args[0].slot, &at))
		return false;
	f = program_function_at(w->s->p, at);
	return f && !f->value &&
	       (is_one_of(f->name, prints0) || is_one_of(f->name, prints1) ||
		is_one_of(f->name, characters) || is_one_of(f->name, numbers) || f->math);
}

static bool walk_hook(struct walk *w, const struct code_call *c, const char *name)
{
	static const char load[] = "heddle_hook_load", store[] = "heddle_hook_store";
	uint32_t a = c->count ? c->args[0].slot : 0, b = c->count > 1 ? c->args[1].slot : 0;

	if (is_one_of(name, markers))
		return true;
	if (!strcmp(name, "heddle_hook_load_n"))
		return touch(w, a, 0, 0, true, true) && touch(w, b, 0, 0, false, false);
	if (!strcmp(name, "heddle_hook_store_n"))
		return touch(w, a, 0, 0, true, false);
	if (!strncmp(name, load, sizeof(load) - 1))
		return touch(w, a, (uint32_t)atoi(name + sizeof(load) - 1), 0, false, false);
	if (!strncmp(name, store, sizeof(store) - 1))
		return touch(w, a, (uint32_t)atoi(name + sizeof(store) - 1), 0, true, false);
	if (!strcmp(name, "heddle_hook_outside") || !strcmp(name, "heddle_hook_outside_done"))
		return announces(w, c);
	return false;
}

static bool walk_function(struct walk *w, const struct code_call *c);

static bool walk_call(struct walk *w, const struct code_call *c)
{
	const char *name = c->target ? c->target->name : NULL;

	if (!c->target || c->variadic > (c->target->value != NULL ? 0 : 1))
		return false;
	writes_slots(w, c->result, c->result_words);
	if (c->target->value)
		return walk_function(w, c);
	if (is_one_of(name, blocks))
		return touch(w, c->args[0].slot, 0, 0, true, false) &&
		       touch(w, c->args[1].slot, 0, 0, false, false);
	if (is_one_of(name, fills))
		return touch(w, c->args[0].slot, 0, 0, true, false);
	if (!strncmp(name, "heddle_hook_", 12))
		return walk_hook(w, c, name);
	return c->target->math || is_one_of(name, numbers) || is_print(w, c, name);
}

static bool walk_insn(struct walk *w, const struct code_insn *i)
{
	const struct code *c = w->frame.code;

	switch (i->op) {
	case CODE_STORE:
		return touch(w, i->a, (i->w + 7u) / 8, i->imm, true, true);
	case CODE_RMW:
		writes_slots(w, i->d, 1);
		return touch(w, i->a, 0, 0, true, true);
	case CODE_CALL:
		return walk_call(w, &c->calls.items[i->a]);
	case CODE_MOVES:
		writes_slots(w, i->d, i->c);
		return true;
	case CODE_SELECT:
		writes_slots(w, i->d, i->x);
		return true;
	case CODE_PICK:
		writes_slots(w, i->d, i->x);
		return true;
	case CODE_PUT:
		writes_slots(w, i->d, i->x * i->c);
		return true;
	case CODE_JUMP:
	case CODE_BRANCH:
	case CODE_SWITCH:
		return true;
	case CODE_RETURN:
	case CODE_ALLOCA:
	case CODE_SAVE:
	case CODE_RESTORE:
		return w->depth > 0;
	case CODE_GOTO:
	case CODE_RESUME:
	case CODE_PAD:
	case CODE_SWAP:
	case CODE_VA_START:
	case CODE_UNREACHABLE:
	case CODE_UNKNOWN:
		return false;
	default:
		writes_slots(w, i->d, i->w > 64 ? 2 : 1);
		return i->w <= 64 || w->depth > 0;
	}
}

static bool walk_blocks(struct walk *w, const struct flow *flow, const bool *in)
{
	for (size_t b = 0; b < flow->blocks.count; b++) {
		const struct flow_block *x = &flow->blocks.items[b];

		for (uint32_t i = x->first; (!in || in[b]) && i <= x->last; i++)
			if (!walk_insn(w, &w->frame.code->insns.items[i]))
				return false;
	}
	return true;
}

/* All of a function that is called: its parameters are what the caller gives. */
static bool walk_function(struct walk *w, const struct code_call *c)
{
	struct walk inner = {.s = w->s, .out = w->out, .depth = w->depth + 1};
	struct code *code = c->target->code ? c->target->code : program_compile(w->s->p, c->target);
	const struct known *k;

	if (inner.depth > DEPTH_MAX || c->pad != CODE_NO_PAD)
		return false;
	for (unsigned i = 0; i < c->count; i++)
		if (c->args[i].bytes)
			return false;
	k = known_of(w->s, code);
	inner.frame = (struct paths_frame){
		.code = code, .flow = &k->flow, .caller = &w->frame, .call = c};
	return walk_blocks(&inner, &k->flow, NULL);
}

/* ---- branches ---- */

static void look(struct shapes *s, struct known *k, uint32_t at, struct shape *out)
{
	uint32_t block = k->flow.block_of[at], meets = k->flow.meets[block];
	struct walk w = {.s = s, .out = out};
	bool *in;

	out->join = UINT32_MAX;
	if (meets == FLOW_NONE || k->flow.blocks.items[block].last != at)
		return;
	in = xcalloc(k->flow.blocks.count + 1, sizeof(*in));
	flow_between(&k->flow, block, meets, in);
	w.frame = (struct paths_frame){.code = k->code, .flow = &k->flow, .in = in};
	out->join = k->flow.blocks.items[meets].first;
	out->harmless = walk_blocks(&w, &k->flow, in);
	free(in);
}

const struct shape *shapes_of(struct shapes *s, struct code *code, uint32_t at)
{
	struct known *k = known_of(s, code);

	if (!k->at[at]) {
		k->at[at] = xcalloc(1, sizeof(struct shape));
		look(s, k, at, k->at[at]);
	}
	return k->at[at];
}
