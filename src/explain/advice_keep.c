/* Does an execution keep to an advice? */
#include "explain/advice_priv.h"

bool explain_op_conflicts(const struct wire_event *a, const struct wire_event *b)
{
	if (explain_syncs(a) && explain_syncs(b))
		return explain_object(a) == explain_object(b) && a->addr != 0;
	return explain_bytes(a) > 0 && explain_bytes(b) > 0 &&
	       (explain_writes(a) || explain_writes(b)) && a->addr < b->addr + explain_bytes(b) &&
	       b->addr < a->addr + explain_bytes(a);
}

/* The next operation of the thread at the site, from `from' on. */
static uint32_t next_at(const struct explain_exec *x, uint32_t thread, uint32_t site, uint32_t from)
{
	for (uint32_t i = from; i < x->ops.count; i++)
		if (x->ops.items[i].thread == thread && explain_event(x, i)->site == site)
			return i;
	return EXPLAIN_NONE;
}

static uint32_t tid_of(const struct explain_exec *x, uint32_t thread)
{
	uint32_t tid = 0;

	while (tid < x->thread.count && x->thread.items[tid] != thread)
		tid++;
	return tid;
}

/* The same, or the end of the run when the thread was still on its way there. */
static uint32_t end_of(const struct explain_exec *x, uint32_t thread, uint32_t site, uint32_t from)
{
	const struct run_result *r = &x->run;
	uint32_t at = next_at(x, thread, site, from), tid = tid_of(x, thread);

	if (at != EXPLAIN_NONE || tid >= r->threads.count ||
	    r->threads.items[tid].state == THREAD_FINISHED ||
	    r->threads.items[tid].state == THREAD_GONE)
		return at;
	return (uint32_t)x->ops.count;
}

/* The operation of somebody else that meets a region of the thread, EXPLAIN_NONE. */
static uint32_t find_intruder(const struct explain_exec *x, uint32_t begin, uint32_t end)
{
	uint32_t thread = x->ops.items[begin].thread;

	for (uint32_t k = begin + 1; k < x->ops.count && k < end; k++) {
		const struct wire_event *other = explain_event(x, k);

		if (x->ops.items[k].thread == thread ||
		    (explain_syncs(other) && other->kind != EVENT_FD))
			continue;
		for (uint32_t i = begin; i < x->ops.count && i <= end; i++)
			if (x->ops.items[i].thread == thread &&
			    explain_op_conflicts(explain_event(x, i), other))
				return k;
	}
	return EXPLAIN_NONE;
}

bool explain_next_breach(const struct explain_exec *x, const struct explanation_advice *a,
			 struct explain_breach *b)
{
	for (uint32_t i = 0; i < x->ops.count; i++) {
		uint32_t site = explain_event(x, i)->site;

		for (size_t p = 0; p + 1 < a->sites.count; p += 2) {
			uint32_t end, in;

			if (site != a->sites.items[p])
				continue;
			end = end_of(x, x->ops.items[i].thread, a->sites.items[p + 1], i + 1);
			in = end == EXPLAIN_NONE ? EXPLAIN_NONE : find_intruder(x, i, end);
			if (in == EXPLAIN_NONE)
				continue;
			*b = (struct explain_breach){i, end, in};
			return true;
		}
	}
	return false;
}

/* ---- regions ---- */

enum explain_waiting explain_waits_between(const struct explain_exec *x, uint32_t from, uint32_t to)
{
	uint32_t thread = x->ops.items[from].thread;
	enum explain_waiting w = EXPLAIN_WAITS_NEVER;

	for (uint32_t i = from; i <= to && i < x->ops.count; i++) {
		if (x->ops.items[i].thread != thread)
			continue;
		switch (explain_event(x, i)->kind) {
		case EVENT_COND_WAIT:
			w = i < to ? EXPLAIN_WAITS_AT_CONDITION : w;
			break;
		case EVENT_THREAD_CREATE:
		case EVENT_SEM_WAIT:
		case EVENT_BARRIER_ARRIVE:
		case EVENT_THREAD_JOIN:
		case EVENT_SPIN_PARK:
			return EXPLAIN_WAITS;
		default:
			break;
		}
	}
	return w;
}

bool explain_waits_inside(const struct explain_exec *x, const struct explanation_advice *a)
{
	for (uint32_t i = 0; i < x->ops.count; i++)
		for (size_t p = 0; p + 1 < a->sites.count; p += 2) {
			uint32_t end;

			if (explain_event(x, i)->site != a->sites.items[p])
				continue;
			end = next_at(x, x->ops.items[i].thread, a->sites.items[p + 1], i + 1);
			if (end != EXPLAIN_NONE &&
			    explain_waits_between(x, i, end) != EXPLAIN_WAITS_NEVER)
				return true;
		}
	return false;
}

/* An execution with every region of the advice as one step. */
struct contraction {
	const struct explain_causal *c;
	uint32_t n;	/* operations, and behind them the one at which a thread failed */
	uint32_t *step; /* by operation: the first one of its step */
	bool *open;	/* by first operation: a region that its thread did not come out of */
};

static void contract_one(struct contraction *k, uint32_t begin, uint32_t end)
{
	const struct explain_exec *x = k->c->x;
	uint32_t thread = x->ops.items[begin].thread, first = k->step[begin];

	k->open[first] = k->open[first] || end == x->ops.count;
	for (uint32_t i = begin; i < x->ops.count && i <= end; i++)
		if (x->ops.items[i].thread == thread)
			k->step[i] = first;
}

/* Overlapping regions of a thread become one. */
static void contract(struct contraction *k, const struct explanation_advice *a)
{
	const struct explain_exec *x = k->c->x;

	for (uint32_t i = 0; i < x->ops.count; i++)
		for (size_t p = 0; p + 1 < a->sites.count; p += 2) {
			uint32_t end;

			if (explain_event(x, i)->site != a->sites.items[p])
				continue;
			end = end_of(x, x->ops.items[i].thread, a->sites.items[p + 1], i + 1);
			if (end != EXPLAIN_NONE)
				contract_one(k, i, end);
		}
}

/* The operation at which the thread failed belongs to the region it is in. */
static void add_failed(struct contraction *k)
{
	const struct explain_exec *x = k->c->x;
	const struct wire_failure *f = &x->run.wire.failure;

	k->step[k->n - 1] = k->n - 1;
	for (uint32_t i = (uint32_t)x->ops.count; i-- > 0 && x->run.verdict == RUN_FAILURE;)
		if (explain_event(x, i)->tid == f->tid) {
			if (k->open[k->step[i]])
				k->step[k->n - 1] = k->step[i];
			return;
		}
}

struct arrows {
	VEC_FIELDS(uint32_t); /* from, to, from, to, ... */
};

/* False when somebody comes after a region that is not over. */
static bool add_arrow(const struct contraction *k, uint32_t from, uint32_t to, struct arrows *out)
{
	uint32_t a = k->step[from], b = k->step[to];

	if (a == b)
		return true;
	if (k->open[a])
		return false;
	vec_push(out, a);
	vec_push(out, b);
	return true;
}

static bool find_arrows(const struct contraction *k, struct arrows *out)
{
	const struct explain_exec *x = k->c->x;
	uint64_t addr = x->run.verdict == RUN_FAILURE ? x->run.wire.failure.addr : 0;

	for (uint32_t i = 0; i < x->ops.count; i++) {
		const struct wire_event *v = explain_event(x, i);

		for (uint32_t b = k->c->begin[i]; b < k->c->begin[i + 1]; b++)
			if (!add_arrow(k, k->c->before[b], i, out))
				return false;
		if (addr && explain_writes(v) && addr >= v->addr &&
		    addr < v->addr + explain_bytes(v) && !add_arrow(k, i, k->n - 1, out))
			return false;
	}
	return true;
}

/* Steps that nothing is left before are taken away, until there are no more. */
static bool is_acyclic(const struct contraction *k, const struct arrows *arrows)
{
	uint32_t *in = xcalloc(k->n, sizeof(*in)), *at = xcalloc(k->n + 2, sizeof(*at));
	uint32_t *to = xmalloc((arrows->count / 2 + 1) * sizeof(*to)), left = 0;
	VEC(uint32_t) ready = VEC_INIT;

	for (size_t i = 0; i < arrows->count; i += 2) {
		in[arrows->items[i + 1]]++;
		at[arrows->items[i] + 2]++;
	}
	for (uint32_t i = 0; i < k->n; i++)
		at[i + 2] += at[i + 1];
	for (size_t i = 0; i < arrows->count; i += 2)
		to[at[arrows->items[i] + 1]++] = arrows->items[i + 1];
	for (uint32_t i = 0; i < k->n; i++) {
		left += k->step[i] == i;
		if (k->step[i] == i && in[i] == 0)
			vec_push(&ready, i);
	}
	while (ready.count) {
		uint32_t i = ready.items[--ready.count];

		left--;
		for (uint32_t e = at[i]; e < at[i + 1]; e++)
			if (--in[to[e]] == 0)
				vec_push(&ready, to[e]);
	}
	vec_free(&ready);
	free(in);
	free(at);
	free(to);
	return left == 0;
}

/* There is an equal execution in which nobody comes into a region. */
static bool is_atomic(const struct explain_causal *c, const struct explanation_advice *a)
{
	struct contraction k = {.c = c, .n = (uint32_t)c->x->ops.count + 1};
	struct arrows arrows = VEC_INIT;
	bool atomic;

	k.step = xmalloc(k.n * sizeof(*k.step));
	k.open = xcalloc(k.n, sizeof(*k.open));
	for (uint32_t i = 0; i < k.n; i++)
		k.step[i] = i;
	contract(&k, a);
	add_failed(&k);
	atomic = find_arrows(&k, &arrows) && is_acyclic(&k, &arrows);
	vec_free(&arrows);
	free(k.step);
	free(k.open);
	return atomic;
}

/* ---- orders ---- */

static bool is_first(const struct explain_exec *x, uint32_t op, const struct explanation_advice *a)
{
	return a->keys[0] ? x->ops.items[op].key == a->keys[0]
			  : explain_event(x, op)->site == a->sites.items[0];
}

static bool is_second(const struct explain_exec *x, uint32_t op, const struct explanation_advice *a)
{
	return a->keys[1] ? x->ops.items[op].key == a->keys[1]
			  : explain_event(x, op)->site == a->sites.items[1];
}

/* The thread failed at an operation, which no event has, on what one of the second did before. */
static bool fails_behind(const struct explain_exec *x, const struct explanation_advice *a)
{
	const struct wire_failure *f = &x->run.wire.failure;

	if (x->run.verdict != RUN_FAILURE || a->keys[0] || f->site != a->sites.items[0])
		return false;
	for (uint32_t i = 0; i < x->ops.count; i++) {
		const struct wire_event *v = explain_event(x, i);

		if (is_second(x, i, a) && v->tid != f->tid && f->addr >= v->addr &&
		    f->addr < v->addr + explain_bytes(v))
			return true;
	}
	return false;
}

/*
 * There is an equal execution in which all of the first come before any of the second: none of the
 * first comes after one of the second.  The second without the first is no order.
 */
static bool is_ordered(const struct explain_causal *c, const struct explanation_advice *a)
{
	const struct explain_exec *x = c->x;
	bool *after = xcalloc(x->ops.count + 1, sizeof(*after));
	bool first = false, second = false, good = true;

	for (uint32_t i = 0; i < x->ops.count && good; i++) {
		for (uint32_t k = c->begin[i]; k < c->begin[i + 1] && !after[i]; k++)
			after[i] = after[c->before[k]];
		if (is_first(x, i, a)) {
			first = true;
			good = !after[i];
		}
		if (is_second(x, i, a))
			second = after[i] = true;
	}
	free(after);
	return good && (first || !second) && !fails_behind(x, a);
}

/* Between a first lock and the second one taken under it, nobody else takes a first one. */
static bool is_one_at_a_time(const struct explain_exec *x, const struct explanation_advice *a)
{
	for (uint32_t i = 0; i < x->ops.count; i++) {
		uint32_t site = explain_event(x, i)->site, end = EXPLAIN_NONE;

		for (size_t p = 0; p + 1 < a->sites.count; p += 2)
			if (a->sites.items[p] == site)
				end = end_of(x, x->ops.items[i].thread, a->sites.items[p + 1],
					     i + 1);
		for (uint32_t k = i + 1; k < x->ops.count && end != EXPLAIN_NONE && k < end; k++)
			for (size_t p = 0; p + 1 < a->sites.count; p += 2)
				if (x->ops.items[k].thread != x->ops.items[i].thread &&
				    explain_event(x, k)->site == a->sites.items[p])
					return false;
	}
	return true;
}

/* A run that ends inside shows nothing against the advice: the last one may not have come. */
bool explain_keeps_to(const struct explain_causal *c, const struct explanation_advice *a)
{
	switch (a->kind) {
	case ADVICE_ATOMIC:
	case ADVICE_WAKEUP:
		return a->sites.count >= 2 && is_atomic(c, a);
	case ADVICE_ORDER:
		return a->sites.count == 2 && is_ordered(c, a);
	case ADVICE_LOCK_ORDER:
		return a->sites.count >= 2 && is_one_at_a_time(c->x, a);
	default:
		return false;
	}
}
