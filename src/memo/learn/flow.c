#include "memo/learn/flow.h"

#include <string.h>

struct targets {
	VEC(uint32_t) at; /* instructions */
	bool ends, known;
};

/* Where control goes from an instruction that may not go to the one behind it. */
static bool leads(const struct code *c, uint32_t at, struct targets *to)
{
	const struct code_insn *i = &c->insns.items[at];

	vec_clear(&to->at);
	to->ends = false;
	switch (i->op) {
	case CODE_JUMP:
		vec_push(&to->at, i->a);
		return true;
	case CODE_BRANCH:
		vec_push(&to->at, i->b);
		vec_push(&to->at, i->c);
		return true;
	case CODE_SWITCH:
	case CODE_GOTO:
		for (size_t n = 0; n < c->tables.items[i->b].count; n++)
			vec_push(&to->at, c->tables.items[i->b].items[n].target);
		return true;
	case CODE_RETURN:
	case CODE_RESUME:
	case CODE_UNREACHABLE:
	case CODE_UNKNOWN:
		to->ends = true;
		return true;
	case CODE_CALL: {
		const struct code_call *k = &c->calls.items[i->a];

		if (k->normal == UINT32_MAX)
			return false;
		vec_push(&to->at, k->normal);
		if (k->pad != CODE_NO_PAD)
			vec_push(&to->at, c->pads.items[k->pad].target);
		return true;
	}
	default:
		return false;
	}
}

static void find_blocks(struct flow *f, const struct code *c)
{
	uint32_t n = (uint32_t)c->insns.count;
	bool *begins = xcalloc(n + 1, sizeof(*begins));
	struct targets to = {VEC_INIT, false, false};

	begins[0] = true;
	for (uint32_t i = 0; i < n; i++)
		if (leads(c, i, &to)) {
			begins[i + 1] = true;
			for (size_t k = 0; k < to.at.count; k++)
				begins[to.at.items[k]] = true;
		}
	for (uint32_t i = 0; i < n; i++) {
		struct flow_block b = {.first = i, .next = VEC_INIT};

		if (begins[i])
			vec_push(&f->blocks, b);
		f->block_of[i] = (uint32_t)f->blocks.count - 1;
		vec_last(&f->blocks).last = i;
	}
	for (size_t b = 0; b < f->blocks.count; b++) {
		struct flow_block *x = &f->blocks.items[b];

		if (leads(c, x->last, &to)) {
			x->ends = to.ends;
			for (size_t k = 0; k < to.at.count; k++)
				vec_push(&x->next, f->block_of[to.at.items[k]]);
		} else if (x->last + 1 < n) {
			vec_push(&x->next, f->block_of[x->last + 1]);
		} else {
			x->ends = true;
		}
	}
	vec_free(&to.at);
	free(begins);
}

/* ---- post-dominators (Cooper, Harvey, Kennedy), on the edges turned round ---- */

struct list {
	VEC_FIELDS(uint32_t);
};

struct order {
	uint32_t exit;	  /* number of the virtual end */
	uint32_t *rank;	  /* by block: when it was left; FLOW_NONE: never reached from the end */
	VEC(uint32_t) by; /* blocks as they were left */
	VEC(struct list) before;
};

static void visit(struct order *o, uint32_t root)
{
	struct place {
		uint32_t block;
		size_t next;
	};
	VEC(struct place) stack = VEC_INIT;

	vec_push(&stack, ((struct place){root, 0}));
	o->rank[root] = 0;
	while (stack.count) {
		struct place *top = &vec_last(&stack);

		if (top->next < o->before.items[top->block].count) {
			uint32_t b = o->before.items[top->block].items[top->next++];

			if (o->rank[b] != FLOW_NONE)
				continue;
			o->rank[b] = 0;
			vec_push(&stack, ((struct place){b, 0}));
			continue;
		}
		vec_push(&o->by, top->block);
		(void)vec_pop(&stack);
	}
	for (uint32_t i = 0; i < o->by.count; i++)
		o->rank[o->by.items[i]] = i;
	vec_free(&stack);
}

static void turn_round(const struct flow *f, struct order *o)
{
	uint32_t n = (uint32_t)f->blocks.count;

	o->exit = n;
	vec_reserve(&o->before, n + 1u);
	o->before.count = n + 1u;
	memset(o->before.items, 0, (n + 1u) * sizeof(*o->before.items));
	for (uint32_t b = 0; b < n; b++) {
		for (size_t k = 0; k < f->blocks.items[b].next.count; k++)
			vec_push(&o->before.items[f->blocks.items[b].next.items[k]], b);
		if (f->blocks.items[b].ends)
			vec_push(&o->before.items[n], b);
	}
	o->rank = xcalloc(n + 1u, sizeof(*o->rank));
	memset(o->rank, 0xff, (n + 1u) * sizeof(*o->rank));
	visit(o, n);
}

static uint32_t common(const struct order *o, const uint32_t *meets, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (o->rank[a] < o->rank[b])
			a = meets[a];
		while (o->rank[b] < o->rank[a])
			b = meets[b];
	}
	return a;
}

static uint32_t meeting(const struct flow *f, const struct order *o, const uint32_t *meets,
			uint32_t block)
{
	const struct flow_block *b = &f->blocks.items[block];
	uint32_t at = b->ends ? o->exit : FLOW_NONE;

	for (size_t k = 0; k < b->next.count; k++) {
		uint32_t next = b->next.items[k];

		/* What never ends meets nothing. */
		if (o->rank[next] == FLOW_NONE || meets[next] == FLOW_NONE)
			continue;
		at = at == FLOW_NONE ? next : common(o, meets, at, next);
	}
	return at;
}

static void find_meetings(struct flow *f)
{
	struct order o = {.by = VEC_INIT, .before = VEC_INIT};
	uint32_t n = (uint32_t)f->blocks.count;
	uint32_t *meets = xcalloc(n + 1u, sizeof(*meets));
	bool changed = true;

	turn_round(f, &o);
	memset(meets, 0xff, (n + 1u) * sizeof(*meets));
	meets[n] = n;
	while (changed) {
		changed = false;
		for (size_t i = o.by.count; i-- > 0;) {
			uint32_t b = o.by.items[i], at;

			if (b == n)
				continue;
			at = meeting(f, &o, meets, b);
			changed |= at != meets[b];
			meets[b] = at;
		}
	}
	for (uint32_t b = 0; b < n; b++)
		f->meets[b] = meets[b] == n ? FLOW_NONE : meets[b];
	for (uint32_t b = 0; b <= n; b++)
		vec_free(&o.before.items[b]);
	vec_free(&o.before);
	vec_free(&o.by);
	free(o.rank);
	free(meets);
}

void flow_make(struct flow *f, const struct code *code)
{
	memset(f, 0, sizeof(*f));
	f->block_of = xcalloc(code->insns.count + 1, sizeof(*f->block_of));
	find_blocks(f, code);
	f->meets = xcalloc(f->blocks.count + 1, sizeof(*f->meets));
	find_meetings(f);
}

void flow_free(struct flow *f)
{
	for (size_t i = 0; i < f->blocks.count; i++)
		vec_free(&f->blocks.items[i].next);
	vec_free(&f->blocks);
	free(f->block_of);
	free(f->meets);
}

void flow_between(const struct flow *f, uint32_t from, uint32_t until, bool *in)
{
	VEC(uint32_t) todo = VEC_INIT;

	for (size_t k = 0; k < f->blocks.items[from].next.count; k++)
		vec_push(&todo, f->blocks.items[from].next.items[k]);
	while (todo.count) {
		uint32_t b = vec_pop(&todo);

		if (b == until || in[b])
			continue;
		in[b] = true;
		for (size_t k = 0; k < f->blocks.items[b].next.count; k++)
			vec_push(&todo, f->blocks.items[b].next.items[k]);
	}
	vec_free(&todo);
}
