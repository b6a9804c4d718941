#include "analyze/loops.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "analyze/outside.h"

struct joining {
	uint32_t thread;
	uint32_t body; /* of the join */
	struct loops_count count;
	uint32_t made_body; /* of the create */
	struct loops_count made;
	LLVMValueRef loads[2]; /* bounds from memory, of made_body and body; NULL: none */
	bool off;	       /* does not hold */
	bool running;	       /* some ran when the creating loop was entered */
};

struct loops {
	VEC_FIELDS(struct joining);
	uint32_t *headers; /* by thread: of the loop that makes it, WHOLE_NONE: none */
	bool *stale;	   /* by thread: one ran when that loop was entered */
};

/* ---- conditions ---- */

static bool is_zero(LLVMValueRef v)
{
	return LLVMIsConstant(v) && LLVMIsNull(v);
}

/* One step from what a condition says to what its operand is; false: no further. */
static bool look_through(LLVMValueRef *v, bool *nonzero)
{
	LLVMValueRef x = *v, inner;

	if (LLVMIsAICmpInst(x) && is_zero(LLVMGetOperand(x, 1)) &&
	    (LLVMGetICmpPredicate(x) == LLVMIntEQ || LLVMGetICmpPredicate(x) == LLVMIntNE)) {
		*nonzero ^= LLVMGetICmpPredicate(x) == LLVMIntEQ;
	} else if (LLVMIsAInstruction(x) && LLVMGetInstructionOpcode(x) == LLVMXor &&
		   LLVMIsAConstantInt(LLVMGetOperand(x, 1)) &&
		   LLVMGetIntTypeWidth(LLVMTypeOf(x)) == 1) {
		*nonzero ^= !is_zero(LLVMGetOperand(x, 1));
	} else if (LLVMIsATruncInst(x)) {
		inner = LLVMGetOperand(x, 0);
		if (!LLVMIsAZExtInst(inner) ||
		    LLVMTypeOf(LLVMGetOperand(inner, 0)) != LLVMTypeOf(x))
			return false;
	} else if (!LLVMIsAZExtInst(x) && !LLVMIsASExtInst(x)) {
		return false;
	}
	*v = LLVMGetOperand(x, 0);
	return true;
}

bool loops_test(LLVMValueRef branch, unsigned way, struct loops_test *out)
{
	bool nonzero = way == 0;

	if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch) ||
	    LLVMGetSuccessor(branch, 0) == LLVMGetSuccessor(branch, 1))
		return false;
	out->value = LLVMGetCondition(branch);
	while (look_through(&out->value, &nonzero))
		continue;
	out->zero = !nonzero;
	return true;
}

/* ---- loops that count ---- */

static const struct cfg_loop *innermost(const struct code *c, uint32_t block)
{
	const struct cfg_loop *best = NULL;

	for (size_t i = 0; i < c->cfg.loops.count; i++) {
		const struct cfg_loop *l = &c->cfg.loops.items[i];

		if (l->inside[block] && (!best || l->body.count < best->body.count))
			best = l;
	}
	return best;
}

static bool comes_from_loop(const struct code *c, const struct cfg_loop *l, LLVMBasicBlockRef b)
{
	uint32_t k;

	return cfg_index(&c->cfg, b, &k) && l->inside[k];
}

static bool counts_up(const struct code *c, const struct cfg_loop *l, struct loops_count *out)
{
	LLVMValueRef next = NULL;

	out->start = NULL;
	for (unsigned i = 0; i < LLVMCountIncoming(out->phi); i++) {
		LLVMValueRef v = LLVMGetIncomingValue(out->phi, i);

		if (!comes_from_loop(c, l, LLVMGetIncomingBlock(out->phi, i))) {
			if (out->start && out->start != v)
				return false;
			out->start = v;
		} else if (next && next != v) {
			return false;
		} else {
			next = v;
		}
	}
	if (!next || !out->start || !LLVMIsAInstruction(next))
		return false;
	if (LLVMGetInstructionOpcode(next) == LLVMGetElementPtr) {
		if (LLVMGetNumOperands(next) != 2 || LLVMGetOperand(next, 0) != out->phi ||
		    !LLVMIsAConstantInt(LLVMGetOperand(next, 1)))
			return false;
		out->step = LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1));
		return true;
	}
	if (LLVMGetInstructionOpcode(next) != LLVMAdd || LLVMGetOperand(next, 0) != out->phi)
		return false;
	if (!LLVMIsAConstantInt(LLVMGetOperand(next, 1))) {
		/* Some step, the same every time or not: who asks has to look. */
		out->step_value = LLVMGetOperand(next, 1);
		out->step = 1;
		return true;
	}
	out->step = LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1));
	return true;
}

/* Conversions of the phi keep its order where it does not wrap. */
static LLVMValueRef bare(LLVMValueRef v)
{
	while (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v))
		v = LLVMGetOperand(v, 0);
	return v;
}

bool loops_counted(const struct code *c, uint32_t block, struct loops_count *out)
{
	const struct cfg_loop *l = innermost(c, block);
	LLVMValueRef end, test;
	uint32_t stay;

	if (!l)
		return false;
	end = LLVMGetBasicBlockTerminator(c->cfg.blocks.items[l->header]);
	if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end))
		return false;
	test = LLVMGetCondition(end);
	if (!LLVMIsAICmpInst(test))
		return false;
	out->header = l->header;
	out->step_value = NULL;
	out->phi = bare(LLVMGetOperand(test, 0));
	out->bound = LLVMGetOperand(test, 1);
	out->predicate = (int)LLVMGetICmpPredicate(test);
	if (!LLVMIsAPHINode(out->phi) ||
	    LLVMGetInstructionParent(out->phi) != c->cfg.blocks.items[l->header])
		return false;
	/* The way that holds stays inside, the other leaves. */
	if (!cfg_index(&c->cfg, LLVMGetSuccessor(end, 0), &stay) || !l->inside[stay])
		return false;
	if (cfg_index(&c->cfg, LLVMGetSuccessor(end, 1), &stay) && l->inside[stay])
		return false;
	return counts_up(c, l, out) && out->step > 0;
}

/* ---- loops that join ---- */

static const struct code *code_of(const struct flow *f, uint32_t body)
{
	return &f->w->codes.items[f->w->bodies.items[body].code];
}

static bool block_of(const struct code *c, LLVMValueRef i, uint32_t *block)
{
	return cfg_index(&c->cfg, LLVMGetInstructionParent(i), block);
}

/* Splits an address that depends on the number of a loop: what is left of it, and by how much. */
static bool split(struct form *f, uint32_t body, LLVMValueRef phi, int64_t *scale)
{
	*scale = 0;
	for (uint32_t i = 0; i < f->count; i++) {
		if (f->terms[i].leaf.body != body || f->terms[i].leaf.value != phi)
			continue;
		if (*scale)
			return false;
		*scale = f->terms[i].scale;
		f->terms[i] = f->terms[--f->count];
		i--;
	}
	return *scale != 0;
}

static bool same_bound(struct flow *f, struct joining *j)
{
	LLVMValueRef a = bare(j->made.bound), b = bare(j->count.bound);
	struct form x, y;
	int64_t distance;

	if (LLVMIsAConstantInt(a) && LLVMIsAConstantInt(b))
		return LLVMConstIntGetSExtValue(a) <= LLVMConstIntGetSExtValue(b);
	x = form_of(f->w, j->made_body, a);
	y = form_of(f->w, j->body, b);
	if (form_distance(&x, &y, &distance))
		return distance <= 0;
	if (!LLVMIsALoadInst(a) || !LLVMIsALoadInst(b))
		return false;
	j->loads[0] = a;
	j->loads[1] = b;
	x = form_of(f->w, j->made_body, LLVMGetOperand(a, 0));
	y = form_of(f->w, j->body, LLVMGetOperand(b, 0));
	return form_equal(&x, &y);
}

static bool same_numbers(struct flow *f, struct joining *j)
{
	struct form a = form_of(f->w, j->made_body, j->made.start);
	struct form b = form_of(f->w, j->body, j->count.start);
	int64_t distance;

	return !j->made.step_value && !j->count.step_value && j->made.step == j->count.step &&
	       j->made.predicate == j->count.predicate && form_distance(&b, &a, &distance) &&
	       distance <= 0 && distance % j->made.step == 0 && same_bound(f, j);
}

/* The address a join takes its handle from, as a value. */
static LLVMValueRef handle_address(LLVMValueRef join)
{
	LLVMValueRef v = LLVMGetArgOperand(join, 0);

	if (LLVMTypeOf(v) == LLVMTypeOf(LLVMGetCalledValue(join)))
		return v; /* std::thread itself */
	return LLVMIsALoadInst(v) ? LLVMGetOperand(v, 0) : NULL;
}

static bool same_addresses(struct flow *f, const struct joining *j, LLVMValueRef create,
			   LLVMValueRef join)
{
	LLVMValueRef from = handle_address(join);
	struct form a, b;
	int64_t x, y;

	if (!from)
		return false;
	a = form_of(f->w, j->made_body, LLVMGetArgOperand(create, 0));
	b = form_of(f->w, j->body, from);
	if (!split(&a, j->made_body, j->made.phi, &x) || !split(&b, j->body, j->count.phi, &y))
		return false;
	return x == y && form_equal(&a, &b);
}

/*
 * std::thread: one that is not joined ends the program when it goes, so handles are where they were
 * moved to.  A loop over a whole container, from what is loaded at one address to what is loaded
 * behind it, or over a whole array, meets all of them.
 */
static bool whole_container(struct flow *f, uint32_t body, const struct loops_count *n,
			    LLVMValueRef join)
{
	struct points *p = &f->w->points;
	struct form at = form_of(f->w, body, LLVMGetArgOperand(join, 0));
	size_t count;
	const uint32_t *set;
	int64_t scale;
	struct form a, b;

	set = points_set(p, whole_node(f->w, body, LLVMGetArgOperand(join, 0)), &count);
	if (LLVMIsALoadInst(n->start) && LLVMIsALoadInst(n->bound)) {
		int64_t distance;

		a = form_of(f->w, body, LLVMGetOperand(n->start, 0));
		b = form_of(f->w, body, LLVMGetOperand(n->bound, 0));
		return form_distance(&b, &a, &distance) && distance == 8;
	}
	if (!split(&at, body, n->phi, &scale) || scale != 8 || count != 1 ||
	    !LLVMIsAConstantInt(n->start) || !LLVMIsAConstantInt(n->bound) || n->step != 1 ||
	    LLVMConstIntGetSExtValue(n->start) != 0)
		return false;
	return p->locs.objects.items[p->locs.all.items[set[0]].object].size ==
	       (uint64_t)LLVMConstIntGetSExtValue(n->bound) * 8;
}

/* A thread made once, with its handle at a place the loop comes to by constants. */
static bool one_of_places(struct flow *f, const struct joining *j, LLVMValueRef create,
			  LLVMValueRef join)
{
	const struct loops_count *n = &j->count;
	LLVMValueRef from = handle_address(join);
	int64_t scale, at, first, end;
	struct form a, b;

	if (!from || f->w->threads.items[j->thread].many || !LLVMIsAConstantInt(n->start) ||
	    !LLVMIsAConstantInt(n->bound) ||
	    (n->predicate != LLVMIntSLT && n->predicate != LLVMIntULT))
		return false;
	a = form_of(f->w, j->made_body, LLVMGetArgOperand(create, 0));
	b = form_of(f->w, j->body, from);
	if (!split(&b, j->body, n->phi, &scale) || !form_distance(&a, &b, &at) || at % scale)
		return false;
	first = LLVMConstIntGetSExtValue(n->start);
	end = LLVMConstIntGetSExtValue(n->bound);
	at /= scale;
	return at >= first && at < end && (at - first) % n->step == 0;
}

/* Does the loop join all threads of one of those its join may mean? */
static void look_at_thread(struct flow *f, struct loops *l, struct joining j, LLVMValueRef join)
{
	LLVMValueRef create = f->w->threads.items[j.thread].create;
	uint32_t made;

	j.made_body = f->w->threads.items[j.thread].body;
	j.made.header = WHOLE_NONE;
	if (!create || !LLVMIsAInstruction(create) ||
	    f->w->threads.items[j.thread].parent != f->w->bodies.items[j.body].thread)
		return;
	if (one_of_places(f, &j, create, join)) {
		vec_push(l, j);
		return;
	}
	if (!block_of(code_of(f, j.made_body), create, &made) ||
	    !loops_counted(code_of(f, j.made_body), made, &j.made))
		return;
	if (same_addresses(f, &j, create, join) && same_numbers(f, &j))
		vec_push(l, j);
}

static void look_at(struct flow *f, struct loops *l, uint32_t body, LLVMValueRef join)
{
	struct joining j = {.body = body};
	const struct code *c = code_of(f, body);
	const struct cfg_loop *loop;
	struct flow_handles h;
	uint32_t block;
	size_t bytes;
	bool library;

	if (!block_of(c, join, &block) || !loops_counted(c, block, &j.count) || j.count.step_value)
		return;
	loop = innermost(c, block);
	for (size_t i = 0; i < loop->latches.count; i++)
		if (!cfg_dominates(&c->cfg, block, loop->latches.items[i]))
			return;
	library = *LLVMGetValueName2(LLVMGetCalledValue(join), &bytes) == '_' &&
		  whole_container(f, body, &j.count, join);
	flow_joined(f, body, join, &h);
	for (uint32_t i = 0; i < h.count; i++) {
		j.thread = h.threads[i];
		if (!library) {
			look_at_thread(f, l, j, join);
			continue;
		}
		j.made_body = f->w->threads.items[j.thread].body;
		j.made.header = WHOLE_NONE;
		if (f->w->threads.items[j.thread].parent == f->w->bodies.items[body].thread)
			vec_push(l, j);
	}
}

/* Which loops make which threads. */
static void find_headers(struct flow *f, struct loops *l)
{
	size_t n = f->w->threads.count;

	l->headers = xcalloc(n + 1, sizeof(*l->headers));
	l->stale = xcalloc(n + 1, sizeof(*l->stale));
	for (size_t t = 0; t < n; t++) {
		const struct thread *x = &f->w->threads.items[t];
		const struct cfg_loop *loop = NULL;
		uint32_t block;

		if (x->create && LLVMIsAInstruction(x->create) &&
		    block_of(code_of(f, x->body), x->create, &block))
			loop = innermost(code_of(f, x->body), block);
		l->headers[t] = loop ? loop->header : WHOLE_NONE;
	}
}

bool loops_fresh(struct flow *f, uint32_t thread, const struct loops_count *made)
{
	return f->loops->headers[thread] == made->header && !made->step_value &&
	       !f->loops->stale[thread];
}

struct loops *loops_new(struct flow *f)
{
	struct loops *l = xcalloc(1, sizeof(*l));

	find_headers(f, l);

	for (uint32_t b = 0; b < f->w->bodies.count; b++) {
		const struct code *c = code_of(f, b);

		for (size_t k = 0; k < c->cfg.blocks.count; k++)
			for (LLVMValueRef i = LLVMGetFirstInstruction(c->cfg.blocks.items[k]);
			     i && c->cyclic[k]; i = LLVMGetNextInstruction(i)) {
				LLVMValueRef callee = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)
							      ? LLVMGetCalledValue(i)
							      : NULL;
				size_t bytes;

				if (callee && LLVMIsAFunction(callee) &&
				    outside_use(LLVMGetValueName2(callee, &bytes)) == OUTSIDE_JOIN)
					look_at(f, l, b, i);
			}
	}
	return l;
}

void loops_free(struct loops *l)
{
	if (!l)
		return;
	vec_free(l);
	free(l->headers);
	free(l->stale);
	free(l);
}

void loops_passed(struct loops *l, struct flow *f, uint32_t body, uint32_t from, uint32_t to,
		  struct state *s)
{
	const struct code *c = code_of(f, body);
	const struct cfg_loop *loop;

	for (uint32_t t = 0; t < f->w->threads.count; t++)
		if (l->headers[t] == to && f->w->threads.items[t].body == body &&
		    flow_bit(s->running, t) && !innermost(c, to)->inside[from])
			l->stale[t] = true;
	for (size_t i = 0; i < l->count; i++) {
		struct joining *j = &l->items[i];

		if (j->off)
			continue;
		if (j->made_body == body && to == j->made.header) {
			loop = innermost(c, to);
			if (loop && !loop->inside[from] && flow_bit(s->running, j->thread))
				j->running = true;
		}
		if (j->body != body || from != j->count.header)
			continue;
		loop = innermost(c, from);
		if (!loop->inside[to])
			flow_ended(f, s, j->thread);
	}
}

/* Nobody writes what a bound was loaded from while the threads run. */
static bool is_frozen(struct flow *f, const struct joining *j)
{
	struct points *p = &f->w->points;
	size_t n, m;

	for (size_t i = 0; i < f->accesses.count; i++) {
		const struct access *a = &f->accesses.items[i];
		const uint32_t *at = points_set(
			p, whole_node(f->w, j->body, LLVMGetOperand(j->loads[1], 0)), &n);
		const uint32_t *set = points_set(p, a->node, &m);
		bool meets = false;

		if (!a->write)
			continue;
		for (size_t x = 0; x < n; x++)
			for (size_t y = 0; y < m; y++)
				meets |= set[y] == f->w->unknown ||
					 locs_meet(&p->locs, at[x], 8, set[y], a->bytes);
		if (!meets)
			continue;
		if (f->w->bodies.items[a->body].thread != f->w->threads.items[j->thread].parent ||
		    flow_bit(f->snapshots.items[a->state].running, j->thread))
			return false;
	}
	return true;
}

bool loops_hold(struct loops *l, struct flow *f)
{
	bool hold = true;

	for (size_t i = 0; i < l->count; i++) {
		struct joining *j = &l->items[i];

		if (j->off || (!j->running && (!j->loads[0] || is_frozen(f, j))))
			continue;
		j->off = true;
		hold = false;
	}
	for (size_t i = 0; i < l->count; i++)
		l->items[i].running = false;
	for (size_t t = 0; t < f->w->threads.count && !hold; t++)
		l->stale[t] = false;
	return hold;
}
