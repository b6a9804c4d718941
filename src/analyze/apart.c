#include "analyze/apart.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "analyze/loops.h"
#include "analyze/outside.h"
#include "solve/integers.h"

#define MILLISECONDS 300
#define MAX_DEPTH 12

/* A leaf that has a variable already. */
struct known {
	struct form_leaf leaf;
	int side; /* -1: both alike */
	uint32_t variable;
};

struct asked {
	struct flow *f;
	uint32_t thread, made_body;
	LLVMValueRef create;
	struct loops_count made;
	struct integers q;
	VEC(struct known) known;
	uint32_t number[2]; /* variables: the threads' */
	int side;
	int depth;
};

static bool leaf_of(struct asked *x, struct form_leaf leaf, struct integers_sum *to);

static struct integers_sum variable(uint32_t v)
{
	struct integers_sum s = {NULL, 0, 0};
	struct integers_term t = {1, v, INTEGERS_NONE};

	vec_push(&s, t);
	return s;
}

static void add_constant(struct integers_sum *to, int64_t n)
{
	struct integers_term t = {n, INTEGERS_NONE, INTEGERS_NONE};
	struct integers_sum one = {NULL, 0, 0};

	vec_push(&one, t);
	integers_sum_add(to, &one, 1);
	vec_free(&one);
}

static bool form_sum(struct asked *x, const struct form *f, struct integers_sum *to)
{
	add_constant(to, f->constant);
	for (uint32_t i = 0; i < f->count; i++) {
		struct integers_sum part = {NULL, 0, 0};
		bool fine = leaf_of(x, f->terms[i].leaf, &part);

		if (fine)
			integers_sum_add(to, &part, f->terms[i].scale);
		vec_free(&part);
		if (!fine)
			return false;
	}
	return true;
}

static bool sum_of(struct asked *x, uint32_t body, LLVMValueRef v, struct integers_sum *to)
{
	struct form f = form_of(x->f->w, body, v);

	return form_sum(x, &f, to);
}

/* low < high. */
static void below(struct asked *x, const struct integers_sum *low, const struct integers_sum *high)
{
	struct integers_sum s = {NULL, 0, 0};

	integers_sum_add(&s, low, 1);
	integers_sum_add(&s, high, -1);
	integers_add(&x->q, INTEGERS_BELOW, s);
}

/* low <= high. */
static void at_most(struct asked *x, const struct integers_sum *low,
		    const struct integers_sum *high)
{
	struct integers_sum more = {NULL, 0, 0};

	integers_sum_add(&more, high, 1);
	add_constant(&more, 1);
	below(x, low, &more);
	vec_free(&more);
}

/* ---- the number of a loop ---- */

static bool in_bounds(struct asked *x, uint32_t body, const struct loops_count *n, uint32_t v)
{
	struct integers_sum start = {NULL, 0, 0}, bound = {NULL, 0, 0}, self = variable(v);
	bool fine = sum_of(x, body, n->start, &start);

	if (fine && sum_of(x, body, n->bound, &bound)) {
		if (n->predicate == LLVMIntSLT || n->predicate == LLVMIntULT)
			below(x, &self, &bound);
		else if (n->predicate == LLVMIntSLE || n->predicate == LLVMIntULE)
			at_most(x, &self, &bound);
	}
	if (fine)
		at_most(x, &start, &self);
	vec_free(&start);
	vec_free(&bound);
	vec_free(&self);
	return fine;
}

/* self = start + step * rounds: what it counts in. */
static void in_steps(struct asked *x, uint32_t body, const struct loops_count *n, uint32_t v)
{
	struct integers_sum apart = {NULL, 0, 0}, self = variable(v), step = {NULL, 0, 0};
	struct integers_sum other = {NULL, 0, 0}, zero = {NULL, 0, 0};
	uint32_t rounds = integers_variable(&x->q);
	bool fine = sum_of(x, body, n->start, &apart);

	if (n->step_value)
		fine = fine && sum_of(x, body, n->step_value, &step);
	else
		add_constant(&step, n->step);
	for (size_t i = 0; i < step.count; i++) {
		fine = fine && step.items[i].b == INTEGERS_NONE;
		step.items[i].b = rounds;
		if (step.items[i].a == INTEGERS_NONE) {
			step.items[i].a = rounds;
			step.items[i].b = INTEGERS_NONE;
		}
	}
	integers_sum_add(&apart, &step, 1);
	if (fine) {
		/* Neither below nor above. */
		at_most(x, &apart, &self);
		at_most(x, &self, &apart);
		other = variable(rounds);
		at_most(x, &zero, &other);
	}
	vec_free(&apart);
	vec_free(&self);
	vec_free(&step);
	vec_free(&other);
	vec_free(&zero);
}

/* ---- memory ---- */

static bool may_touch(struct flow *f, const struct access *a, uint32_t node, uint64_t bytes)
{
	struct points *p = &f->w->points;
	size_t n, m;
	const uint32_t *s = points_set(p, a->node, &n), *t = points_set(p, node, &m);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < m; k++)
			if (s[i] == f->w->unknown || t[k] == f->w->unknown ||
			    locs_meet(&p->locs, s[i], a->bytes, t[k], bytes))
				return true;
	return false;
}

/* What is loaded there does not change while the threads run. */
static bool is_frozen(struct asked *x, uint32_t body, LLVMValueRef load)
{
	struct flow *f = x->f;
	uint32_t node = whole_node(f->w, body, LLVMGetOperand(load, 0));

	for (size_t i = 0; i < f->accesses.count; i++) {
		const struct access *a = &f->accesses.items[i];

		if (!a->write || !may_touch(f, a, node, 8))
			continue;
		if (f->w->bodies.items[a->body].thread != f->w->threads.items[x->thread].parent ||
		    flow_bit(f->snapshots.items[a->state].running, x->thread))
			return false;
	}
	return true;
}

/* The one store that what is loaded comes from, in the round of the loop that makes the thread. */
static const struct access *stored_for(struct asked *x, uint32_t body, LLVMValueRef load)
{
	struct flow *f = x->f;
	const struct code *c = &f->w->codes.items[f->w->bodies.items[x->made_body].code];
	uint32_t node = whole_node(f->w, body, LLVMGetOperand(load, 0)), from, to;
	const struct access *found = NULL;
	uint64_t bytes = LLVMStoreSizeOfType(f->w->layout, LLVMTypeOf(load));

	for (size_t i = 0; i < f->accesses.count; i++) {
		const struct access *a = &f->accesses.items[i];

		if (!a->write || a->frees || !may_touch(f, a, node, bytes))
			continue;
		if (found || a->body != x->made_body || !LLVMIsAStoreInst(a->at))
			return NULL;
		found = a;
	}
	if (!found || LLVMTypeOf(LLVMGetOperand(found->at, 0)) != LLVMTypeOf(load) ||
	    !cfg_index(&c->cfg, LLVMGetInstructionParent(found->at), &from) ||
	    !cfg_index(&c->cfg, LLVMGetInstructionParent(x->create), &to) ||
	    !cfg_dominates(&c->cfg, x->made.header, from) || !cfg_dominates(&c->cfg, from, to))
		return NULL;
	if (from == to)
		for (LLVMValueRef i = found->at; i != x->create; i = LLVMGetNextInstruction(i))
			if (!i)
				return NULL;
	return found;
}

/* A block of the heap that every round makes anew. */
static bool is_fresh_block(const struct asked *x, const struct form_leaf *leaf)
{
	size_t bytes;
	const char *name;

	if (leaf->body != x->made_body || leaf->cast || !LLVMIsACallInst(leaf->value) ||
	    !LLVMIsAFunction(LLVMGetCalledValue(leaf->value)))
		return false;
	name = LLVMGetValueName2(LLVMGetCalledValue(leaf->value), &bytes);
	return outside_use(name) == OUTSIDE_ALLOCATE && strncmp(name, "realloc", 7) != 0 &&
	       strncmp(name, "mmap", 4) != 0;
}

/* Is the place another one in every round of the loop that makes the threads? */
static bool is_own_place(const struct asked *x, const struct integers_sum *place, uint64_t bytes)
{
	bool own = false;

	for (size_t i = 0; i < place->count; i++) {
		const struct integers_term *t = &place->items[i];

		if (t->factor && (t->a == x->number[x->side] || t->b == x->number[x->side])) {
			if (t->b != INTEGERS_NONE || own)
				return false;
			own = (uint64_t)(t->factor < 0 ? -t->factor : t->factor) >= bytes;
		}
	}
	for (size_t i = 0; i < x->known.count && !own; i++)
		for (size_t k = 0; k < place->count; k++)
			own |= is_fresh_block(x, &x->known.items[i].leaf) &&
			       place->items[k].a == x->known.items[i].variable &&
			       place->items[k].b == INTEGERS_NONE && place->items[k].factor == 1;
	return own;
}

/* Loaded from a place that the store of the same round writes: the value of the store. */
static bool forwarded(struct asked *x, uint32_t body, LLVMValueRef load, struct integers_sum *to)
{
	const struct access *s = stored_for(x, body, load);
	struct integers_sum a = {NULL, 0, 0}, b = {NULL, 0, 0};
	bool same = false;

	if (s && sum_of(x, body, LLVMGetOperand(load, 0), &a) &&
	    sum_of(x, x->made_body, s->pointer, &b)) {
		same = is_own_place(x, &b, s->bytes);
		integers_sum_add(&a, &b, -1);
		for (size_t i = 0; i < a.count; i++)
			same &= a.items[i].factor == 0;
	}
	vec_free(&a);
	vec_free(&b);
	return same && sum_of(x, x->made_body, LLVMGetOperand(s->at, 0), to);
}

/* ---- leaves ---- */

static bool find_known(const struct asked *x, const struct form_leaf *leaf, uint32_t *v)
{
	for (size_t i = 0; i < x->known.count; i++) {
		const struct known *k = &x->known.items[i];

		if (form_same_leaf(&k->leaf, leaf) && (k->side < 0 || k->side == x->side)) {
			*v = k->variable;
			return true;
		}
	}
	return false;
}

static uint32_t remember(struct asked *x, struct form_leaf leaf, bool alike)
{
	struct known k = {leaf, alike ? -1 : x->side, integers_variable(&x->q)};

	vec_push(&x->known, k);
	return k.variable;
}

/* Does a leaf have the same value for all of the threads? */
static bool is_alike(struct asked *x, struct form_leaf leaf, int depth)
{
	const struct whole *w = x->f->w;
	LLVMValueRef v = leaf.value;

	if (leaf.body == WHOLE_NONE)
		return true;
	if (LLVMIsConstant(v))
		return !LLVMIsAGlobalVariable(v) || !LLVMIsThreadLocal(v);
	/* Once in the thread that makes them: before the loop. */
	if (w->bodies.items[leaf.body].thread == w->threads.items[x->thread].parent &&
	    !whole_again(w, leaf.body, LLVMIsAInstruction(v) ? v : NULL))
		return true;
	if (depth > 4 || !LLVMIsAInstruction(v) || LLVMIsAPHINode(v) || LLVMIsACallInst(v) ||
	    LLVMIsAInvokeInst(v) || LLVMIsAAllocaInst(v) || LLVMIsAAtomicRMWInst(v) ||
	    LLVMIsAAtomicCmpXchgInst(v))
		return false;
	if (LLVMIsALoadInst(v) && !is_frozen(x, leaf.body, v))
		return false;
	for (int i = 0; i < LLVMGetNumOperands(v); i++) {
		struct form f = form_of(x->f->w, leaf.body, LLVMGetOperand(v, (unsigned)i));

		for (uint32_t k = 0; k < f.count; k++)
			if (!is_alike(x, f.terms[k].leaf, depth + 1))
				return false;
	}
	return true;
}

/* Loads of one place are one. */
static struct form_leaf by_place(struct asked *x, struct form_leaf leaf)
{
	struct form f;

	if (!LLVMIsALoadInst(leaf.value))
		return leaf;
	f = form_of(x->f->w, leaf.body, LLVMGetOperand(leaf.value, 0));
	if (f.count != 1 || f.constant || f.terms[0].scale != 1 ||
	    f.terms[0].leaf.body != WHOLE_NONE)
		return leaf;
	return (struct form_leaf){WHOLE_NONE, f.terms[0].leaf.value, -1};
}

static bool product(struct asked *x, struct form_leaf leaf, struct integers_sum *to)
{
	struct integers_sum a = {NULL, 0, 0}, b = {NULL, 0, 0};
	bool fine = sum_of(x, leaf.body, LLVMGetOperand(leaf.value, 0), &a) &&
		    sum_of(x, leaf.body, LLVMGetOperand(leaf.value, 1), &b);

	for (size_t i = 0; i < a.count && fine; i++)
		for (size_t k = 0; k < b.count && fine; k++) {
			struct integers_term s = a.items[i], t = b.items[k];
			struct integers_sum one = {NULL, 0, 0};

			fine = s.b == INTEGERS_NONE && t.b == INTEGERS_NONE;
			t.factor *= s.factor;
			if (t.a == INTEGERS_NONE)
				t.a = s.a;
			else
				t.b = s.a;
			/* In one order, so that equal products are. */
			if (t.b != INTEGERS_NONE && t.b < t.a) {
				uint32_t turned = t.a;

				t.a = t.b;
				t.b = turned;
			}
			vec_push(&one, t);
			integers_sum_add(to, &one, 1);
			vec_free(&one);
		}
	vec_free(&a);
	vec_free(&b);
	return fine;
}

static LLVMValueRef thread_argument(const struct asked *x)
{
	size_t bytes;
	const char *name = LLVMGetValueName2(LLVMGetCalledValue(x->create), &bytes);
	unsigned i = strcmp(name, "thrd_create") ? 3 : 2;

	return *name == '_' || i >= LLVMGetNumArgOperands(x->create)
		       ? NULL
		       : LLVMGetArgOperand(x->create, i);
}

/* The number of a loop that is never below zero. */
static bool counts_from_zero(const struct asked *x, struct form_leaf leaf)
{
	const struct code *c = &x->f->w->codes.items[x->f->w->bodies.items[leaf.body].code];
	struct loops_count n;
	uint32_t block;

	return cfg_index(&c->cfg, LLVMGetInstructionParent(leaf.value), &block) &&
	       loops_counted(c, block, &n) && n.phi == leaf.value && LLVMIsAConstantInt(n.start) &&
	       LLVMConstIntGetSExtValue(n.start) >= 0;
}

/* A conversion that may lose bits does not when its operand is the number of a loop that fits. */
static bool keeps(struct asked *x, struct form_leaf leaf, const struct integers_sum *s)
{
	bool zero_up =
		LLVMIsAConstantInt(x->made.start) && LLVMConstIntGetSExtValue(x->made.start) >= 0;
	bool number = s->count > 0;

	if (LLVMIsAPHINode(leaf.value) && leaf.cast == LLVMZExt && counts_from_zero(x, leaf))
		return true;
	for (size_t i = 0; i < s->count; i++)
		number &= s->items[i].factor == 0 ||
			  (s->items[i].factor == 1 && s->items[i].a == x->number[x->side] &&
			   s->items[i].b == INTEGERS_NONE);
	return number && zero_up &&
	       LLVMGetTypeKind(LLVMTypeOf(x->made.phi)) == LLVMIntegerTypeKind &&
	       LLVMGetIntTypeWidth(LLVMTypeOf(x->made.phi)) <= 32;
}

static bool counted(struct asked *x, struct form_leaf leaf, struct integers_sum *to)
{
	const struct code *c = &x->f->w->codes.items[x->f->w->bodies.items[leaf.body].code];
	struct loops_count n;
	uint32_t block, v;

	if (!cfg_index(&c->cfg, LLVMGetInstructionParent(leaf.value), &block) ||
	    !loops_counted(c, block, &n) || n.phi != leaf.value)
		return false;
	v = remember(x, leaf, false);
	if (in_bounds(x, leaf.body, &n, v) && (n.step != 1 || n.step_value))
		in_steps(x, leaf.body, &n, v);
	*to = variable(v);
	return true;
}

/* What a leaf is made of, when that is known; false: nothing more than that it is a number. */
static bool look_inside(struct asked *x, struct form_leaf leaf, struct integers_sum *to)
{
	struct whole *w = x->f->w;
	struct form_leaf inner = {leaf.body, leaf.value, 0};
	LLVMValueRef argument;

	if (leaf.body == x->made_body && leaf.value == x->made.phi && !leaf.cast) {
		*to = variable(x->number[x->side]);
		return true;
	}
	if (leaf.cast && leaf.cast != -1)
		return leaf_of(x, inner, to) && keeps(x, leaf, to);
	if (leaf.body == w->threads.items[x->thread].root && LLVMIsAArgument(leaf.value)) {
		argument = thread_argument(x);
		return argument && leaf.value == LLVMGetParam(whole_function(w, leaf.body), 0) &&
		       sum_of(x, x->made_body, argument, to);
	}
	if (leaf.body == WHOLE_NONE || !LLVMIsAInstruction(leaf.value))
		return false;
	if (LLVMIsALoadInst(leaf.value))
		return !is_alike(x, leaf, 0) && forwarded(x, leaf.body, leaf.value, to);
	if (LLVMGetInstructionOpcode(leaf.value) == LLVMMul)
		return product(x, leaf, to);
	return LLVMIsAPHINode(leaf.value) && leaf.body != x->made_body && counted(x, leaf, to);
}

static bool leaf_of(struct asked *x, struct form_leaf leaf, struct integers_sum *to)
{
	struct integers_sum s = {NULL, 0, 0};
	uint32_t v;
	bool fine;

	if (++x->depth > MAX_DEPTH) {
		x->depth--;
		return false;
	}
	if (find_known(x, &leaf, &v)) {
		*to = variable(v);
	} else if (look_inside(x, leaf, &s)) {
		*to = s;
	} else {
		vec_free(&s);
		fine = is_alike(x, leaf, 0);
		leaf = fine ? by_place(x, leaf) : leaf;
		if (!find_known(x, &leaf, &v))
			v = remember(x, leaf, fine);
		*to = variable(v);
	}
	x->depth--;
	return true;
}

/* ---- the question ---- */

/* Does each of the two lie in a block that the round of its thread made? */
static bool in_own_blocks(const struct asked *x, const struct integers_sum sums[2])
{
	bool own[2] = {false, false};

	for (size_t i = 0; i < x->known.count; i++)
		for (int side = 0; side < 2; side++)
			for (size_t k = 0; k < sums[side].count; k++) {
				const struct integers_term *t = &sums[side].items[k];

				own[side] |= x->known.items[i].side == side &&
					     is_fresh_block(x, &x->known.items[i].leaf) &&
					     t->a == x->known.items[i].variable &&
					     t->b == INTEGERS_NONE && t->factor == 1;
			}
	return own[0] && own[1];
}

static bool ask(struct asked *x, const struct access *a, const struct access *b)
{
	struct integers_sum sums[2] = {{NULL, 0, 0}, {NULL, 0, 0}}, apart = {NULL, 0, 0};
	const struct access *both[2] = {a, b};
	bool fine = true;

	for (x->side = 0; x->side < 2 && fine; x->side++) {
		x->number[x->side] = integers_variable(&x->q);
		fine = in_bounds(x, x->made_body, &x->made, x->number[x->side]) &&
		       sum_of(x, both[x->side]->body, both[x->side]->pointer, &sums[x->side]);
	}
	if (fine && in_own_blocks(x, sums)) {
		vec_free(&sums[0]);
		vec_free(&sums[1]);
		return true;
	}
	if (fine && a->bytes && b->bytes) {
		/* Different numbers, and a < b + bytes, b < a + bytes. */
		apart = variable(x->number[0]);
		struct integers_sum other = variable(x->number[1]);

		integers_sum_add(&apart, &other, -1);
		integers_add(&x->q, INTEGERS_NOT, apart);
		vec_free(&other);
		for (int i = 0; i < 2; i++) {
			integers_sum_add(&other, &sums[!i], 1);
			add_constant(&other, (int64_t)both[!i]->bytes);
			below(x, &sums[i], &other);
			vec_free(&other);
		}
		fine = integers_ask(&x->q, MILLISECONDS) == SOLVE_UNSAT;
	} else {
		fine = false;
	}
	vec_free(&sums[0]);
	vec_free(&sums[1]);
	return fine;
}

/*
 * In a round of the loop, before that makes its thread: the threads that run then were made in
 * others.
 */
static bool is_before_create(const struct asked *x, const struct access *a)
{
	const struct code *c = &x->f->w->codes.items[x->f->w->bodies.items[a->body].code];
	struct loops_count n;
	uint32_t from, to;

	if (a->body != x->made_body ||
	    !cfg_index(&c->cfg, LLVMGetInstructionParent(a->at), &from) ||
	    !cfg_index(&c->cfg, LLVMGetInstructionParent(x->create), &to) ||
	    !loops_counted(c, from, &n) || n.header != x->made.header || from == n.header ||
	    !cfg_dominates(&c->cfg, from, to))
		return false;
	for (LLVMValueRef i = x->create; i && from == to; i = LLVMGetPreviousInstruction(i))
		if (i == a->at)
			return true;
	return from != to;
}

/* Made by one loop out of which only one round makes each that runs. */
static bool has_numbers(struct asked *x)
{
	const struct whole *w = x->f->w;
	const struct thread *t = &w->threads.items[x->thread];
	const struct code *c;
	uint32_t block;

	if (t->kind != THREAD_PLAIN || !t->create || !LLVMIsAInstruction(t->create) ||
	    flow_beside_itself(x->f, t->parent))
		return false;
	x->made_body = t->body;
	x->create = t->create;
	c = &w->codes.items[w->bodies.items[x->made_body].code];
	return cfg_index(&c->cfg, LLVMGetInstructionParent(x->create), &block) &&
	       loops_counted(c, block, &x->made) && loops_fresh(x->f, x->thread, &x->made);
}

bool apart_by_number(struct flow *f, const struct access *a, const struct access *b)
{
	const struct whole *w = f->w;
	uint32_t of_a = w->bodies.items[a->body].thread, of_b = w->bodies.items[b->body].thread;
	struct asked x = {.f = f, .thread = of_a > of_b ? of_a : of_b};
	bool apart;

	if (!a->pointer || !b->pointer || a->deep || b->deep || !has_numbers(&x))
		return false;
	if ((of_a != x.thread && !is_before_create(&x, a)) ||
	    (of_b != x.thread && !is_before_create(&x, b)))
		return false;
	apart = ask(&x, a, b);
	integers_fini(&x.q);
	vec_free(&x.known);
	return apart;
}
