/* Restrictions of schedules that would have helped, found among all executions seen. */
#include "explain/advice_priv.h"

#include "explain/conflicts.h"

/* Operations that are looked at, and restrictions that are tried. */
#define MAX_OPS 48
#define MAX_TRIED 3000
/* Executions on which candidates are compared. */
#define MAX_COMPARED 400
/* Operations looked at, all in all. */
#define MAX_WORK UINT64_C(20000000)
/* Regions that are tried two by two. */
#define MAX_REGIONS 24

struct candidate {
	struct explanation_advice a;
	uint64_t passed; /* executions that keep to it */
	uint32_t span;	 /* operations of the region in the failing execution */
	uint32_t roots;	 /* of its places, those where flows that decide begin or end */
	bool users;	 /* all of its places are in the user's code */
	bool single;
};

struct maker {
	const struct explain_search *s;
	const struct explain_exec *f;
	const struct explanation *out;
	const struct explain_exec *x; /* whose operations are looked at: of both, one by one */
	VEC(uint32_t) ops;	      /* of interest, of it */
	VEC(struct candidate) good;
	VEC(struct explanation_advice) regions; /* tried alone, and not enough */
	uint32_t tried;
	uint64_t work;
};

/* ---- operations of interest ---- */

static void add_op(struct maker *m, uint32_t op)
{
	for (size_t i = 0; i < m->ops.count; i++)
		if (m->ops.items[i] == op)
			return;
	if (op != EXPLAIN_NONE && m->ops.count < MAX_OPS)
		vec_push(&m->ops, op);
}

static bool at_address(const struct wire_event *v, uint64_t addr)
{
	if (explain_syncs(v))
		return explain_object(v) == addr;
	return addr >= v->addr && addr < v->addr + explain_bytes(v);
}

/* Everything at the memory or object of a flow, those nearest to where it arrives first. */
static void add_around(struct maker *m, uint64_t addr, uint32_t near)
{
	uint32_t n = (uint32_t)m->x->ops.count;

	near = near == EXPLAIN_NONE ? n : near;
	for (uint32_t d = 0; d <= n; d++) {
		if (d <= near && near - d < n && at_address(explain_event(m->x, near - d), addr))
			add_op(m, near - d);
		if (d > 0 && near + d < n && at_address(explain_event(m->x, near + d), addr))
			add_op(m, near + d);
	}
}

static uint32_t op_of(const struct explain_exec *x, uint32_t event)
{
	for (uint32_t i = 0; i < x->ops.count && event != EXPLANATION_NONE; i++)
		if (x->ops.items[i].event == event)
			return i;
	return EXPLAIN_NONE;
}

/* An event of one of the sides, in the execution that is looked at. */
static uint32_t here(const struct maker *m, int side, uint32_t event)
{
	const struct explain_exec *x = side == 0 ? m->f : &m->s->best;
	uint32_t op = op_of(x, event);

	return op == EXPLAIN_NONE || x == m->x ? op : explain_exec_find(m->x, x->ops.items[op].key);
}

static int by_place(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Memory that threads use at the same time. */
static void add_conflicts(struct maker *m)
{
	struct explain_conflicts c = VEC_INIT;
	bool left_out;

	explain_conflicts_find(m->x, SIZE_MAX, &c, &left_out);
	for (size_t i = 0; i < c.count; i++) {
		const struct wire_event *v = explain_event(m->x, c.items[i].first);

		if (explain_syncs(v) && v->kind != EVENT_FD)
			continue;
		add_op(m, c.items[i].first);
		add_op(m, c.items[i].second);
	}
	vec_free(&c);
}

static void find_ops(struct maker *m, const struct explanation *out)
{
	vec_clear(&m->ops);
	for (size_t i = 0; i < out->flows.count; i++)
		for (int side = 0; side < 2 && out->flows.items[i].root; side++) {
			add_op(m, here(m, side, out->flows.items[i].to[side]));
			add_op(m, here(m, side, out->flows.items[i].from[side]));
		}
	for (size_t i = 0; i < m->s->failing->standing.count; i++)
		add_around(m, m->s->failing->standing.items[i].addr, EXPLAIN_NONE);
	for (size_t i = 0; i < out->flows.count; i++)
		if (out->flows.items[i].root)
			add_around(m, out->flows.items[i].addr,
				   here(m, 0, out->flows.items[i].to[0]));
	add_conflicts(m);
	if (m->ops.count > 1)
		qsort(m->ops.items, m->ops.count, sizeof(uint32_t), by_place);
}

/* ---- trying ---- */

static bool same_advice(const struct explanation_advice *a, const struct explanation_advice *b)
{
	if (a->kind != b->kind || a->sites.count != b->sites.count || a->keys[0] != b->keys[0] ||
	    a->keys[1] != b->keys[1])
		return false;
	for (size_t i = 0; i < a->sites.count; i++)
		if (a->sites.items[i] != b->sites.items[i])
			return false;
	return true;
}

static bool was_tried(const struct maker *m, const struct explanation_advice *a)
{
	for (size_t i = 0; i < m->good.count; i++)
		if (same_advice(&m->good.items[i].a, a))
			return true;
	for (size_t i = 0; i < m->regions.count; i++)
		if (same_advice(&m->regions.items[i], a))
			return true;
	return false;
}

static void count_one(const struct explain_seen *seen, const struct explanation_advice *a,
		      uint64_t *failed, uint64_t *passed)
{
	if (!explain_keeps_to(&seen->causal, a))
		return;
	*failed += seen->failed;
	*passed += !seen->failed && seen->x->run.verdict == RUN_CLEAN;
}

uint64_t explain_advice_count(const struct explain_search *s, const struct explanation_advice *a,
			      uint64_t *passed)
{
	uint64_t failed = 0;

	*passed = 0;
	for (size_t i = 0; i < s->seen.count; i++)
		count_one(&s->seen.items[i], a, &failed, passed);
	return failed;
}

/* On some of them, until one speaks against it. */
static uint64_t compare(struct maker *m, const struct explanation_advice *a, uint64_t *passed)
{
	uint64_t failed = 0;

	*passed = 0;
	for (size_t i = 0; i < m->s->seen.count && i < MAX_COMPARED && failed == 0; i++) {
		m->work += m->s->seen.items[i].x->ops.count;
		count_one(&m->s->seen.items[i], a, &failed, passed);
	}
	return failed;
}

static bool waits_inside(const struct maker *m, const struct explanation_advice *a)
{
	for (size_t i = 0; i < m->s->seen.count && i < MAX_COMPARED; i++)
		if (explain_waits_inside(m->s->seen.items[i].x, a))
			return true;
	return false;
}

static bool is_at(const struct explain_exec *x, uint32_t event, uint32_t site)
{
	return event != EXPLANATION_NONE && x->run.events.items[event].site == site;
}

static bool is_root_site(const struct maker *m, uint32_t site)
{
	for (size_t i = 0; i < m->out->flows.count; i++) {
		const struct explanation_flow *w = &m->out->flows.items[i];

		if (w->root && (is_at(m->f, w->to[0], site) || is_at(m->f, w->from[0], site) ||
				is_at(&m->s->best, w->from[1], site)))
			return true;
	}
	return site == m->f->run.wire.failure.site;
}

static uint32_t count_roots(const struct maker *m, const struct explanation_advice *a)
{
	uint32_t n = 0;

	for (size_t i = 0; i < a->sites.count && i < 2; i++)
		n += is_root_site(m, a->sites.items[i]);
	return n;
}

static bool are_users(const struct maker *m, const struct explanation_advice *a)
{
	for (size_t i = 0; i < a->sites.count; i++)
		if (!explain_search_is_users(m->s, a->sites.items[i]))
			return false;
	return true;
}

/* Takes over a->sites. */
static void try_one(struct maker *m, struct explanation_advice *a, uint32_t span)
{
	struct candidate c = {*a, 0, span, count_roots(m, a), are_users(m, a), a->sites.count == 2};

	if (m->tried >= MAX_TRIED || m->work >= MAX_WORK || was_tried(m, a)) {
		vec_free(&a->sites);
		return;
	}
	m->tried++;
	if (compare(m, a, &c.passed) == 0 && c.passed > 0 &&
	    !(a->kind == ADVICE_ATOMIC && waits_inside(m, a)))
		vec_push(&m->good, c);
	else if (a->kind == ADVICE_ATOMIC && c.single && span > 0 && m->regions.count < MAX_REGIONS)
		vec_push(&m->regions, *a);
	else
		vec_free(&a->sites);
}

static void try_sites(struct maker *m, enum explanation_advice_kind kind, uint32_t thread,
		      uint32_t first, uint32_t second, uint32_t span)
{
	struct explanation_advice a = {
		.kind = kind, .thread = thread, .check = SITE_NONE, .again = kind == ADVICE_WAKEUP};

	if (first == second || first == SITE_NONE || second == SITE_NONE)
		return;
	vec_push(&a.sites, first);
	vec_push(&a.sites, second);
	try_one(m, &a, span);
}

static uint32_t site_at(const struct maker *m, size_t i)
{
	return explain_event(m->x, m->ops.items[i])->site;
}

static uint32_t thread_at(const struct maker *m, size_t i)
{
	return m->x->ops.items[m->ops.items[i]].thread;
}

static bool may_begin(const struct maker *m, size_t i)
{
	const struct wire_event *v = explain_event(m->x, m->ops.items[i]);

	/* A lock that there is already is no part of what has to be one. */
	return v->kind != EVENT_ALLOC &&
	       (!explain_syncs(v) || v->kind == EVENT_FD || m->s->failing->thread == EXPLAIN_NONE);
}

static void try_region(struct maker *m, size_t i, uint32_t end, uint32_t site)
{
	uint32_t begin = m->ops.items[i];
	enum explain_waiting w = explain_waits_between(m->x, begin, end);

	if (w != EXPLAIN_WAITS && may_begin(m, i))
		try_sites(m, w == EXPLAIN_WAITS_NEVER ? ADVICE_ATOMIC : ADVICE_WAKEUP,
			  thread_at(m, i), site_at(m, i), site, end - begin);
}

/* The thread failed, or sleeps at a condition for ever. */
static bool ends_here(const struct maker *m, uint32_t thread, uint32_t *site)
{
	const struct wire_thread *t = &m->f->run.threads.items[thread];

	*site = m->s->failing->thread == EXPLAIN_NONE ? t->pending_site
						      : m->f->run.wire.failure.site;
	return m->s->failing->thread == EXPLAIN_NONE
		       ? t->pending_kind == EVENT_COND_WAIT || t->pending_kind == EVENT_COND_WAKE
		       : thread == m->s->failing->thread;
}

/* Nearest ends first: the smallest region comes first. */
static void try_regions(struct maker *m)
{
	for (size_t gap = 1; gap < m->ops.count; gap++)
		for (size_t i = 0; i + gap < m->ops.count; i++)
			if (thread_at(m, i) == thread_at(m, i + gap))
				try_region(m, i, m->ops.items[i + gap], site_at(m, i + gap));
	for (size_t i = m->ops.count; i-- > 0 && m->x == m->f;) {
		uint32_t site;

		if (ends_here(m, thread_at(m, i), &site))
			try_region(m, i, (uint32_t)m->x->ops.count, site);
	}
}

/* Two regions, and all of them, when one is not enough. */
static void try_more_regions(struct maker *m)
{
	struct explanation_advice all = {.kind = ADVICE_ATOMIC};

	for (size_t i = 0; i < m->regions.count; i++)
		for (size_t k = i + 1; k < m->regions.count; k++) {
			struct explanation_advice a = {.kind = ADVICE_ATOMIC,
						       .thread = m->regions.items[i].thread};

			for (size_t n = 0; n < 4; n++)
				vec_push(&a.sites, n < 2 ? m->regions.items[i].sites.items[n]
							 : m->regions.items[k].sites.items[n - 2]);
			try_one(m, &a, 0);
		}
	for (size_t i = 0; i < m->regions.count && m->good.count == 0; i++)
		for (size_t n = 0; n < 2; n++)
			vec_push(&all.sites, m->regions.items[i].sites.items[n]);
	if (all.sites.count > 4)
		try_one(m, &all, 0);
	else
		vec_free(&all.sites);
}

static bool is_order_worth(const struct maker *m, size_t i, size_t k)
{
	const struct wire_event *a = explain_event(m->x, m->ops.items[i]);
	const struct wire_event *b = explain_event(m->x, m->ops.items[k]);

	return thread_at(m, i) != thread_at(m, k) &&
	       (!explain_syncs(a) || !explain_syncs(b) || a->kind == EVENT_FD) &&
	       a->kind != EVENT_ALLOC && b->kind != EVENT_ALLOC;
}

/* What the passing execution does in time may not have happened at all in the failing one. */
static void try_orders_of_flows(struct maker *m, const struct explanation *out)
{
	const struct explain_exec *a = &m->s->best;
	uint32_t fails = m->f->run.wire.failure.site;

	for (size_t i = 0; i < out->flows.count; i++) {
		const struct explanation_flow *w = &out->flows.items[i];
		uint32_t from = op_of(a, w->from[1]), to = op_of(m->f, w->to[0]);
		uint32_t site = to == EXPLAIN_NONE ? fails : explain_event(m->f, to)->site;

		if (w->root && from != EXPLAIN_NONE && a->ops.items[from].thread != w->thread)
			try_sites(m, ADVICE_ORDER, w->thread, explain_event(a, from)->site, site,
				  0);
		from = op_of(m->f, w->from[0]);
		if (w->root && from != EXPLAIN_NONE && m->f->ops.items[from].thread != w->thread)
			try_sites(m, ADVICE_ORDER, w->thread, site, explain_event(m->f, from)->site,
				  0);
	}
	for (size_t i = 0; i < m->ops.count && m->s->failing->thread != EXPLAIN_NONE; i++)
		if (thread_at(m, i) != m->s->failing->thread)
			try_sites(m, ADVICE_ORDER, m->s->failing->thread, fails, site_at(m, i), 0);
}

static void try_orders(struct maker *m)
{
	for (size_t i = 0; i < m->ops.count; i++)
		for (size_t k = i + 1; k < m->ops.count; k++)
			if (is_order_worth(m, i, k)) {
				try_sites(m, ADVICE_ORDER, thread_at(m, k), site_at(m, k),
					  site_at(m, i), 0);
				try_sites(m, ADVICE_ORDER, thread_at(m, i), site_at(m, i),
					  site_at(m, k), 0);
			}
}

/* One operation before another one, where places alone say too much or nothing. */
static void try_single_orders(struct maker *m)
{
	for (size_t i = 0; i < m->ops.count; i++)
		for (size_t k = i + 1; k < m->ops.count; k++) {
			struct explanation_advice a = {.kind = ADVICE_ORDER};

			if (!is_order_worth(m, i, k) ||
			    !explain_op_conflicts(explain_event(m->x, m->ops.items[i]),
						  explain_event(m->x, m->ops.items[k])))
				continue;
			a.thread = thread_at(m, k);
			a.keys[0] = m->x->ops.items[m->ops.items[k]].key;
			a.keys[1] = m->x->ops.items[m->ops.items[i]].key;
			vec_push(&a.sites, site_at(m, k));
			vec_push(&a.sites, site_at(m, i));
			try_one(m, &a, 0);
		}
}

/* ---- the best ---- */

/*
 * Regions let threads go in any order; they are better unless they let hardly anything through.
 * What is in a library cannot be changed there, though it may be in one call of the user's.
 */
static uint64_t worth_of(const struct candidate *c)
{
	return c->passed * (1 + c->roots) * (c->users ? 3 : 1) *
	       (c->a.kind == ADVICE_ORDER ? 2
		: c->single		  ? 8
					  : 6);
}

static int by_worth(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (worth_of(x) != worth_of(y))
		return worth_of(x) > worth_of(y) ? -1 : 1;
	if (x->span != y->span)
		return x->span < y->span ? -1 : 1;
	for (size_t i = 0; i < x->a.sites.count && i < y->a.sites.count; i++)
		if (x->a.sites.items[i] != y->a.sites.items[i])
			return x->a.sites.items[i] < y->a.sites.items[i] ? -1 : 1;
	return 0;
}

void explain_advice_restrict(const struct explain_search *s, const struct explanation *out,
			     struct explain_advices *to)
{
	struct maker m = {.s = s, .f = &s->failing->exec, .out = out};
	const struct explain_exec *sides[] = {&s->failing->exec, &s->best};

	for (int i = 0; i < 2; i++) {
		m.x = sides[i];
		find_ops(&m, out);
		try_regions(&m);
	}
	if (m.good.count == 0)
		try_more_regions(&m);
	try_orders_of_flows(&m, out);
	for (int i = 0; i < 2; i++) {
		m.x = sides[i];
		find_ops(&m, out);
		try_orders(&m);
		if (m.good.count == 0)
			try_single_orders(&m);
	}
	if (m.good.count > 1)
		qsort(m.good.items, m.good.count, sizeof(struct candidate), by_worth);
	for (size_t i = 0; i < m.good.count; i++)
		vec_push(to, m.good.items[i].a);
	for (size_t i = 0; i < m.regions.count; i++)
		vec_free(&m.regions.items[i].sites);
	vec_free(&m.regions);
	vec_free(&m.good);
	vec_free(&m.ops);
}
