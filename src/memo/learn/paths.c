#include "memo/learn/paths.h"

#include <string.h>

#define CHAIN_MAX 64

/* Words on the way, so that loops end. */
struct chain {
	const struct paths_frame *frame[CHAIN_MAX];
	uint32_t slot[CHAIN_MAX];
	unsigned loads_before[CHAIN_MAX]; /* loads on the way to it */
	bool again[CHAIN_MAX];		  /* it comes from itself */
	unsigned count, loads;
};

static bool find(const struct paths_frame *f, uint32_t slot, struct chain *way, struct paths *out);

static bool add(struct paths *to, const struct shape_path *p)
{
	for (unsigned i = 0; i < to->count; i++)
		if (!memcmp(&to->items[i], p, sizeof(*p)))
			return true;
	if (to->count == PATHS_MAX)
		return false;
	to->items[to->count++] = *p;
	return true;
}

/* Fields one by one: padding is compared too. */
static bool add_root(struct paths *to, enum shape_root root, uint64_t value)
{
	struct shape_path p;

	memset(&p, 0, sizeof(p));
	p.root = (uint8_t)root;
	p.value = value;
	return add(to, &p);
}

static bool is_constant(const struct code *c, uint32_t slot)
{
	return slot >= c->consts_at && slot < c->consts_at + c->consts.count;
}

static bool is_parameter(const struct code *c, uint32_t slot)
{
	return slot >= c->params && slot < c->params + c->param_words;
}

/* Words an instruction writes. */
static bool defines(const struct code *c, const struct code_insn *i, uint32_t slot)
{
	uint32_t count = 1, first = i->d;

	switch (i->op) {
	case CODE_STORE:
	case CODE_JUMP:
	case CODE_BRANCH:
	case CODE_SWITCH:
	case CODE_GOTO:
	case CODE_RETURN:
	case CODE_RESUME:
	case CODE_RESTORE:
	case CODE_UNREACHABLE:
	case CODE_UNKNOWN:
	case CODE_VA_START:
		return false;
	case CODE_MOVES:
		count = i->c;
		break;
	case CODE_SELECT:
	case CODE_PICK:
		count = i->x;
		break;
	case CODE_PUT:
		count = i->x * i->c;
		break;
	case CODE_CALL:
		first = c->calls.items[i->a].result;
		count = c->calls.items[i->a].result_words;
		break;
	case CODE_PAD:
	case CODE_SWAP:
		count = 2;
		break;
	default:
		count = i->w > 64 ? 2 : 1;
	}
	return slot >= first && slot - first < count;
}

/* What was found moves by an offset. */
static bool moved(const struct paths *from, int64_t by, bool loose, struct paths *to)
{
	for (unsigned k = 0; k < from->count; k++) {
		struct shape_path p = from->items[k];

		p.offset = loose || p.loose ? 0 : p.offset + by;
		p.loose |= loose;
		if (!add(to, &p))
			return false;
	}
	return true;
}

/* What lies in memory where the paths lead. */
static bool loaded(const struct paths *from, int64_t offset, struct paths *to)
{
	for (unsigned k = 0; k < from->count; k++) {
		struct shape_path p = from->items[k];

		/* What is made in between holds what was put there: not followed. */
		if (p.loose || p.loads == SHAPE_LOADS || p.root == SHAPE_FRESH)
			return false;
		p.offsets[p.loads++] = p.offset + offset;
		p.offset = 0;
		if (!add(to, &p))
			return false;
	}
	return true;
}

static bool find_loaded(const struct paths_frame *f, uint32_t slot, struct chain *way,
			struct paths *out)
{
	bool ok;

	way->loads++;
	ok = find(f, slot, way, out);
	way->loads--;
	return ok;
}

static bool from_call(const struct paths_frame *f, const struct code_call *c, struct chain *way,
		      struct paths *out)
{
	const char *name = c->target && !c->target->value ? c->target->name : "";
	struct paths at = {.count = 0};

	if (!strcmp(name, "heddle_hook_load8"))
		return find_loaded(f, c->args[0].slot, way, &at) && loaded(&at, 0, out);
	if (!strcmp(name, "heddle_hook_memcpy") || !strcmp(name, "heddle_hook_memset"))
		return find(f, c->args[0].slot, way, out);
	return false;
}

static bool from_insn(const struct paths_frame *f, const struct code_insn *i, uint32_t slot,
		      struct chain *way, struct paths *out)
{
	struct paths at = {.count = 0};
	uint64_t step;

	switch (i->op) {
	case CODE_ADDR:
		return find(f, i->a, way, &at) && moved(&at, i->imm, false, out);
	case CODE_GEP:
		if (!find(f, i->a, way, &at))
			return false;
		if (!paths_constant(f, i->b, &step))
			return moved(&at, 0, true, out);
		return moved(&at, (int64_t)(step << (64 - i->v)) >> (64 - i->v) * i->imm, false,
			     out);
	case CODE_MOVE:
		return find(f, i->a, way, out);
	case CODE_MOVES:
		return find(f, i->a + (slot - i->d), way, out);
	case CODE_SELECT:
		return find(f, i->b + (slot - i->d), way, out) &&
		       find(f, i->c + (slot - i->d), way, out);
	case CODE_LOAD:
		return i->w == 64 && find_loaded(f, i->a, way, &at) && loaded(&at, i->imm, out);
	case CODE_CALL:
		return from_call(f, &f->code->calls.items[i->a], way, out);
	case CODE_ALLOCA:
		return f->caller && add_root(out, SHAPE_FRESH, 0);
	default:
		return false;
	}
}

/* The argument that a parameter is. */
static bool from_caller(const struct paths_frame *f, uint32_t slot, struct chain *way,
			struct paths *out)
{
	uint32_t word = f->code->params;

	for (unsigned i = 0; i < f->call->count && i < f->call->fixed; i++) {
		const struct code_arg *a = &f->call->args[i];

		if (slot < word + a->words)
			return find(f->caller, a->slot + (slot - word), way, out);
		word += a->words;
	}
	return false;
}

static bool find(const struct paths_frame *f, uint32_t slot, struct chain *way, struct paths *out)
{
	bool outside = false, ok = true;

	for (unsigned i = 0; i < way->count; i++)
		if (way->frame[i] == f && way->slot[i] == slot) {
			/* One that follows links may come to anything. */
			way->again[i] = true;
			return way->loads == way->loads_before[i];
		}
	if (is_constant(f->code, slot))
		return add_root(out, SHAPE_CONSTANT,
				f->code->consts.items[slot - f->code->consts_at]);
	if (is_parameter(f->code, slot) && f->caller)
		return from_caller(f, slot, way, out);
	if (way->count == CHAIN_MAX)
		return false;
	way->frame[way->count] = f;
	way->slot[way->count] = slot;
	way->again[way->count] = false;
	way->loads_before[way->count++] = way->loads;
	outside = is_parameter(f->code, slot);
	for (uint32_t i = 0; ok && i < f->code->insns.count; i++) {
		const struct code_insn *x = &f->code->insns.items[i];

		if (!defines(f->code, x, slot))
			continue;
		if (f->in && !f->in[f->flow->block_of[i]])
			outside = true;
		else
			ok = from_insn(f, x, slot, way, out);
	}
	/* It may be what it was at the branch. */
	ok = ok && (!outside || add_root(out, SHAPE_SLOT, slot));
	/* A step of a loop: nobody knows how many there are. */
	for (unsigned i = 0; way->again[way->count - 1] && i < out->count; i++) {
		out->items[i].loose = true;
		out->items[i].offset = 0;
	}
	way->count--;
	return ok;
}

bool paths_of(const struct paths_frame *f, uint32_t slot, struct paths *out)
{
	struct chain way = {.count = 0};

	return find(f, slot, &way, out);
}

bool paths_constant(const struct paths_frame *f, uint32_t slot, uint64_t *value)
{
	struct paths p = {.count = 0};

	if (is_constant(f->code, slot)) {
		*value = f->code->consts.items[slot - f->code->consts_at];
		return true;
	}
	if (!f->caller || !is_parameter(f->code, slot) || !paths_of(f, slot, &p))
		return false;
	*value = p.items[0].value;
	return p.count == 1 && p.items[0].root == SHAPE_CONSTANT && !p.items[0].loads &&
	       !p.items[0].loose && !p.items[0].offset;
}
