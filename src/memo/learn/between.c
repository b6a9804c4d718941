#include "memo/learn/between.h"

#include <assert.h>
#include <string.h>

#include "memo/learn/follow.h"

#define BYTES_MAX (UINT64_C(1) << 20)	 /* written between, at once */
#define BUDGET_BYTES (UINT64_C(1) << 27) /* in all */

/* ---- going in ---- */

enum found { FOUND, NOTHING_THERE, NOT_KNOWN };

struct place {
	uint64_t base, addr;
	uint64_t loads[SHAPE_LOADS]; /* places read on the way */
};

/* Where a path leads now. */
static enum found walk(struct follow *f, const struct machine_thread *t, const struct shape_path *p,
		       struct place *out)
{
	uint64_t v = p->value;
	expr_id e = EXPR_NONE;

	if (p->root == SHAPE_SLOT) {
		uint32_t slot = vec_last(&t->frames).base + (uint32_t)p->value;

		v = t->regs[slot];
		e = t->exprs[slot];
	}
	for (unsigned i = 0; !e && i < p->loads; i++) {
		out->loads[i] = v + (uint64_t)p->offsets[i];
		if (!mem_mapped(t->space, out->loads[i], 8) ||
		    !mem_load(t->space, out->loads[i], 8, &v, &e))
			return NOTHING_THERE;
	}
	if (e)
		return NOT_KNOWN;
	out->base = v;
	out->addr = v + (uint64_t)p->offset;
	(void)f;
	return FOUND;
}

/* The memory a touch may be of: the object, or the very bytes. */
static enum found range_of(struct follow *f, const struct machine_thread *t,
			   const struct shape_touch *x, struct between_range *out)
{
	struct symex_object object;
	struct place at;
	enum found found = walk(f, t, &x->path, &at);

	if (found != FOUND)
		return found;
	if (!machine_find_object(f->m, at.addr, &object) || object.freed) {
		if (!machine_find_object(f->m, at.base, &object) || object.freed)
			return NOTHING_THERE;
	}
	if (object.kind == SYMEX_OBJECT_OUTSIDE || object.kind == SYMEX_OBJECT_FUNCTION)
		return x->write ? NOT_KNOWN : NOTHING_THERE;
	*out = (struct between_range){object.base, object.bytes};
	if (!x->path.loose && x->bytes && at.addr >= object.base &&
	    at.addr + x->bytes <= object.base + object.bytes)
		*out = (struct between_range){at.addr, x->bytes};
	return FOUND;
}

static bool overlaps(const struct between_range *r, uint64_t addr, uint64_t bytes)
{
	return addr < r->addr + r->bytes && r->addr < addr + bytes;
}

static bool add_write(struct between *b, struct between_range r)
{
	for (size_t i = 0; i < b->writes.count; i++) {
		struct between_range *x = &b->writes.items[i];

		if (r.addr >= x->addr && r.addr + r.bytes <= x->addr + x->bytes)
			return true;
	}
	vec_push(&b->writes, r);
	return r.bytes <= BYTES_MAX;
}

/* Paths must not lead elsewhere once something was written. */
static bool paths_stay(struct follow *f, const struct machine_thread *t, const struct between *b)
{
	for (size_t i = 0; i < b->shape->touches.count; i++) {
		const struct shape_path *p = &b->shape->touches.items[i].path;
		struct place at;

		if (!p->loads || walk(f, t, p, &at) != FOUND)
			continue;
		for (unsigned k = 0; k < p->loads; k++)
			for (size_t w = 0; w < b->writes.count; w++)
				if (overlaps(&b->writes.items[w], at.loads[k], 8))
					return false;
	}
	return true;
}

static void note_possible(struct follow *f, const struct machine_thread *t, uint32_t between,
			  const struct shape_touch *x, struct between_range r)
{
	struct follow_access a = {.addr = r.addr,
				  .bytes = r.bytes,
				  .thread = t->tid,
				  .from = f->last.items[t->tid],
				  .to = f->to,
				  .followed = f->at,
				  .site = t->last_site,
				  .write = x->write,
				  .between = between};

	if (!x->private)
		vec_push(&f->accesses, a);
}

bool between_enter(void *arg, struct machine_thread *t, struct code *code, uint32_t at,
		   uint32_t *join, uint32_t *between)
{
	struct follow *f = arg;
	struct between b = {.shape = shapes_of(f->shapes, code, at)};
	size_t accesses = f->accesses.count;
	bool ok = b.shape->harmless && t->controlled;
	uint64_t bytes = 0;

	for (size_t i = 0; ok && i < b.shape->touches.count; i++) {
		const struct shape_touch *x = &b.shape->touches.items[i];
		struct between_range r;
		enum found found = range_of(f, t, x, &r);

		ok = found != NOT_KNOWN;
		if (found != FOUND)
			continue;
		note_possible(f, t, (uint32_t)f->betweens.count + 1, x, r);
		if (x->write)
			ok = ok && add_write(&b, r);
	}
	for (size_t i = 0; i < b.writes.count; i++)
		bytes += b.writes.items[i].bytes;
	ok = ok && paths_stay(f, t, &b) && f->written + bytes <= BUDGET_BYTES;
	if (!ok) {
		f->accesses.count = accesses;
		vec_free(&b.writes);
		return false;
	}
	f->written += bytes;
	vec_push(&f->betweens, b);
	*between = (uint32_t)f->betweens.count;
	*join = b.shape->join;
	return true;
}

/* ---- coming out ---- */

/* Equal bytes become one unknown. */
struct fresh {
	struct follow *f;
	uint32_t between;
	expr_id of_byte[256];
	VEC(expr_id) was, now;
};

static expr_id unknown(struct fresh *x, expr_id was, uint64_t value, unsigned width)
{
	struct follow *f = x->f;
	uint32_t read = follow_new_read(f);

	while (f->unknowns.count <= read)
		vec_push(&f->unknowns, ((struct between_unknown){0}));
	f->unknowns.items[read] = (struct between_unknown){x->between, was, value};
	return expr_read(f->m->pool, read, width);
}

static expr_id unknown_for(struct fresh *x, expr_id was)
{
	for (size_t i = 0; i < x->was.count; i++)
		if (x->was.items[i] == was)
			return x->now.items[i];
	vec_push(&x->was, was);
	vec_push(&x->now, unknown(x, was, 0, expr_width(x->f->m->pool, was)));
	return vec_last(&x->now);
}

static void forget_slot(struct fresh *x, struct machine_thread *t, uint32_t slot)
{
	expr_id was = t->exprs[slot];

	if (was && expr_width(x->f->m->pool, was) > 64)
		return; /* shapes have none */
	t->exprs[slot] = was ? unknown_for(x, was) : unknown(x, EXPR_NONE, t->regs[slot], 64);
	t->regs[slot] = 0;
}

static void forget_byte(struct fresh *x, struct machine_thread *t, uint64_t addr)
{
	uint64_t value = 0;
	expr_id was = EXPR_NONE, now;

	if (!mem_load(t->space, addr, 1, &value, &was))
		return;
	if (was) {
		now = unknown_for(x, was);
	} else {
		if (!x->of_byte[value & 0xff])
			x->of_byte[value & 0xff] = unknown(x, EXPR_NONE, value & 0xff, 8);
		now = x->of_byte[value & 0xff];
	}
	(void)mem_store(t->space, addr, 1, 0, now);
}

void between_leave(void *arg, struct machine_thread *t)
{
	struct follow *f = arg;
	const struct between *b = &f->betweens.items[t->between - 1];
	struct fresh x = {.f = f, .between = t->between};
	uint32_t base = vec_last(&t->frames).base;

	for (size_t i = 0; i < b->shape->slots.count; i++)
		for (uint32_t k = 0; k < b->shape->slots.items[i].count; k++) {
			uint32_t slot = base + b->shape->slots.items[i].first + k;
			expr_id e = t->exprs[slot];

			/* Written at several places: it is one already. */
			if (e && expr_get(f->m->pool, e)->op == EXPR_READ &&
			    expr_get(f->m->pool, e)->read < f->unknowns.count &&
			    f->unknowns.items[expr_get(f->m->pool, e)->read].between == t->between)
				continue;
			forget_slot(&x, t, slot);
		}
	for (size_t i = 0; i < b->writes.count; i++)
		for (uint64_t k = 0; k < b->writes.items[i].bytes; k++)
			forget_byte(&x, t, b->writes.items[i].addr + k);
	vec_free(&x.was);
	vec_free(&x.now);
}

/* ---- what has to hold ---- */

struct resolving {
	struct follow *f;
	VEC(uint32_t) first, next; /* conditions of each between: heads (+1) and links */
	VEC(uint8_t) wanted;	   /* conditions */
	VEC(uint8_t) reached;	   /* expressions */
	VEC(uint8_t) entered;	   /* betweens */
	VEC(expr_id) todo;
};

static void want(struct resolving *r, uint32_t condition)
{
	if (r->wanted.items[condition])
		return;
	r->wanted.items[condition] = 1;
	vec_push(&r->todo, r->f->conditions.items[condition].expr);
}

static void want_between(struct resolving *r, uint32_t between)
{
	if (r->entered.items[between])
		return;
	r->entered.items[between] = 1;
	for (uint32_t c = r->first.items[between]; c; c = r->next.items[c - 1])
		want(r, c - 1);
}

static const struct between_unknown *unknown_of(const struct follow *f, const struct expr_node *n)
{
	if (n->op != EXPR_READ || n->read >= f->unknowns.count ||
	    !f->unknowns.items[n->read].between)
		return NULL;
	return &f->unknowns.items[n->read];
}

static void reach(struct resolving *r)
{
	while (r->todo.count) {
		expr_id e = vec_pop(&r->todo);
		const struct expr_node *n = expr_get(r->f->m->pool, e);
		const struct between_unknown *u = unknown_of(r->f, n);
		expr_value value;

		if (r->reached.items[e])
			continue;
		r->reached.items[e] = 1;
		if (u) {
			want_between(r, u->between);
			if (u->was)
				vec_push(&r->todo, u->was);
		}
		for (unsigned k = 0;
		     k < memo_arity(n->op) && !expr_is_const(r->f->m->pool, e, &value); k++)
			vec_push(&r->todo, n->arg[k]);
	}
}

#define FILL(v, n)                                                                                 \
	do {                                                                                       \
		vec_reserve((v), (n));                                                             \
		memset((v)->items, 0, (n) * sizeof(*(v)->items));                                  \
		(v)->count = (n);                                                                  \
	} while (0)

/* Nodes come behind their arguments, and unknowns behind what they stand for. */
static expr_id *without_unknowns(struct resolving *r, size_t count)
{
	struct expr_pool *pool = r->f->m->pool;
	expr_id *now = xcalloc(count + 1, sizeof(*now));

	for (expr_id e = 1; e < count; e++) {
		struct expr_node n = *expr_get(pool, e);
		const struct between_unknown *u = unknown_of(r->f, &n);
		expr_id arg[3] = {0, 0, 0};
		expr_value value;

		if (!r->reached.items[e])
			continue;
		if (u) {
			now[e] = u->was ? expr_resize(pool, now[u->was], n.width, false)
					: expr_const(pool, n.width, u->value);
			continue;
		}
		if (n.op == EXPR_READ || expr_is_const(pool, e, &value)) {
			now[e] = e;
			continue;
		}
		for (unsigned k = 0; k < memo_arity(n.op); k++)
			arg[k] = now[n.arg[k]];
		now[e] = expr_make(pool, (enum expr_op)n.op, n.width, n.aux, arg);
	}
	return now;
}

void between_resolve(struct follow *f, struct between_result *out)
{
	struct resolving r = {.f = f};
	size_t conditions = f->conditions.count, nodes = expr_count(f->m->pool);
	expr_id *now;

	FILL(&r.first, f->betweens.count + 1);
	FILL(&r.next, conditions);
	FILL(&r.wanted, conditions);
	FILL(&r.reached, nodes + 1);
	FILL(&r.entered, f->betweens.count + 1);
	for (uint32_t c = (uint32_t)conditions; c-- > 0;) {
		uint32_t *head = &r.first.items[f->conditions.items[c].between];

		r.next.items[c] = *head;
		*head = c + 1;
	}
	want_between(&r, 0);
	for (uint32_t b = 1; b <= f->betweens.count; b++)
		if (f->betweens.items[b - 1].kept)
			want_between(&r, b);
	reach(&r);
	now = without_unknowns(&r, nodes);
	for (size_t c = 0; c < conditions; c++)
		if (r.wanted.items[c])
			vec_push(out, now[f->conditions.items[c].expr]);
	free(now);
	vec_free(&r.first);
	vec_free(&r.next);
	vec_free(&r.wanted);
	vec_free(&r.reached);
	vec_free(&r.entered);
	vec_free(&r.todo);
}
