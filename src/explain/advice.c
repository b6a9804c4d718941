#include "explain/advice.h"

#include <assert.h>

#include "model/delay.h"

static struct explanation_advice *add(struct explanation *out, enum explanation_advice_kind kind)
{
	vec_push(&out->advice, ((struct explanation_advice){.kind = kind}));
	return &vec_last(&out->advice);
}

static void add_site(struct explanation_advice *a, uint32_t site)
{
	vec_push(&a->sites, site);
}

static uint32_t op_of(const struct explain_exec *x, uint32_t event)
{
	for (uint32_t i = 0; i < x->ops.count && event != EXPLANATION_NONE; i++)
		if (x->ops.items[i].event == event)
			return i;
	return EXPLAIN_NONE;
}

/* ---- memory ---- */

static bool overlaps(const struct wire_event *a, const struct wire_event *b)
{
	return explain_bytes(a) > 0 && explain_bytes(b) > 0 &&
	       a->addr < b->addr + explain_bytes(b) && b->addr < a->addr + explain_bytes(a);
}

static void advise_atomic(struct explanation *out, const struct explain_exec *x, uint32_t from,
			  uint32_t to)
{
	struct explanation_advice *a = add(out, ADVICE_ATOMIC);

	assert(x->ops.items[from].thread == x->ops.items[to].thread);
	a->thread = x->ops.items[from].thread;
	add_site(a, explain_event(x, from)->site);
	add_site(a, explain_event(x, to)->site);
}

static void advise_order(struct explanation *out, uint32_t first_site, uint32_t second_site)
{
	struct explanation_advice *a;

	if (first_site == second_site || first_site == SITE_NONE || second_site == SITE_NONE)
		return;
	a = add(out, ADVICE_ORDER);
	add_site(a, first_site);
	add_site(a, second_site);
}

/*
 * Two accesses of one thread to the memory that somebody else wrote or read in between belong
 * together, perhaps: `between' is the operation that came in between.
 */
static void advise_around(const struct explain_exec *f, uint32_t between, uint32_t thread,
			  struct explanation *out)
{
	uint32_t before = EXPLAIN_NONE, after = EXPLAIN_NONE;

	for (uint32_t i = between; i-- > 0 && before == EXPLAIN_NONE;)
		if (f->ops.items[i].thread == thread &&
		    overlaps(explain_event(f, i), explain_event(f, between)))
			before = i;
	for (uint32_t i = between + 1; i < f->ops.count && after == EXPLAIN_NONE; i++)
		if (f->ops.items[i].thread == thread &&
		    overlaps(explain_event(f, i), explain_event(f, between)))
			after = i;
	if (before != EXPLAIN_NONE && after != EXPLAIN_NONE &&
	    explain_event(f, before)->kind != EVENT_ALLOC)
		advise_atomic(out, f, before, after);
}

/* A thread that had been at the memory and failed at it, with somebody else in between. */
static void advise_around_failure(const struct explain_search *s, uint32_t between,
				  struct explanation *out)
{
	const struct explain_exec *f = &s->failing->exec;
	struct explanation_advice *a;

	for (uint32_t i = between; i-- > 0 && s->failing->thread != EXPLAIN_NONE;) {
		if (f->ops.items[i].thread != s->failing->thread ||
		    !explain_reads(explain_event(f, i)))
			continue;
		a = add(out, ADVICE_ATOMIC);
		a->thread = s->failing->thread;
		add_site(a, explain_event(f, i)->site);
		add_site(a, f->run.wire.failure.site);
		return;
	}
}

/*
 * A flow that should not be.  What came in between two accesses of one thread may be kept out; or
 * the writer is too early, or too late.
 */
static void advise_flow(const struct explain_search *s, const struct explanation_flow *flow,
			struct explanation *out)
{
	const struct explain_exec *f = &s->failing->exec, *a = &s->best;
	uint32_t read = op_of(f, flow->to[0]), wrote = op_of(f, flow->from[0]);
	uint32_t should = op_of(a, flow->from[1]), there = EXPLAIN_NONE;
	uint32_t site =
		read == EXPLAIN_NONE ? f->run.wire.failure.site : explain_event(f, read)->site;

	if (should != EXPLAIN_NONE)
		there = explain_exec_find(f, a->ops.items[should].key);
	if (wrote != EXPLAIN_NONE && f->ops.items[wrote].thread != flow->thread) {
		advise_around(f, wrote, flow->thread, out);
		if (read == EXPLAIN_NONE)
			advise_around_failure(s, wrote, out);
	}
	if (there != EXPLAIN_NONE && read != EXPLAIN_NONE && there > read) {
		advise_around(f, there, flow->thread, out);
		advise_around(f, read, f->ops.items[there].thread, out);
	}
	if (should != EXPLAIN_NONE && a->ops.items[should].thread != flow->thread &&
	    (there == EXPLAIN_NONE || read == EXPLAIN_NONE || there > read))
		advise_order(out, explain_event(a, should)->site, site);
	if (wrote != EXPLAIN_NONE && f->ops.items[wrote].thread != flow->thread)
		advise_order(out, site, explain_event(f, wrote)->site);
}

/* Two flows into one thread, or out of one: what is between the two ends belongs together, perhaps.
 */
static void advise_pair(const struct explain_exec *f, uint32_t a, uint32_t b,
			struct explanation *out)
{
	if (a == EXPLAIN_NONE || b == EXPLAIN_NONE || a == b ||
	    f->ops.items[a].thread != f->ops.items[b].thread)
		return;
	advise_atomic(out, f, a < b ? a : b, a < b ? b : a);
}

/* One flow comes from a thread too early and another one too late: it was in the middle of it. */
static void advise_middle(const struct explain_search *s, const struct explanation_flow *early,
			  const struct explanation_flow *late, struct explanation *out)
{
	const struct explain_exec *f = &s->failing->exec, *a = &s->best;
	uint32_t wrote = op_of(f, early->from[0]), should = op_of(a, late->from[1]);
	struct explanation_advice *advice;

	if (wrote == EXPLAIN_NONE || should == EXPLAIN_NONE || late->same ||
	    f->ops.items[wrote].thread != a->ops.items[should].thread ||
	    explain_event(f, wrote)->site == explain_event(a, should)->site)
		return;
	advice = add(out, ADVICE_ATOMIC);
	advice->thread = f->ops.items[wrote].thread;
	add_site(advice, explain_event(f, wrote)->site);
	add_site(advice, explain_event(a, should)->site);
}

static void advise_pairs(const struct explain_search *s, struct explanation *out)
{
	const struct explain_exec *f = &s->failing->exec;

	for (size_t i = 0; i < out->flows.count; i++)
		for (size_t k = i + 1; k < out->flows.count; k++) {
			const struct explanation_flow *x = &out->flows.items[i];
			const struct explanation_flow *y = &out->flows.items[k];

			if (!x->root || !y->root)
				continue;
			advise_pair(f, op_of(f, x->to[0]), op_of(f, y->to[0]), out);
			advise_pair(f, op_of(f, x->from[0]), op_of(f, y->from[0]), out);
			advise_middle(s, x, y, out);
			advise_middle(s, y, x, out);
		}
}

/* ---- threads that are stuck ---- */

static bool is_stuck(const struct wire_thread *t)
{
	return t->state == THREAD_BLOCKED || t->state == THREAD_SPINNING;
}

static void advise_locks(const struct explain_exec *f, struct explanation *out)
{
	struct explanation_advice *a = NULL;

	for (uint32_t tid = 0; tid < f->run.threads.count; tid++) {
		const struct wire_thread *t = &f->run.threads.items[tid];

		if (!is_stuck(t) || t->waits_for >= f->run.threads.count || t->held_count == 0 ||
		    t->waits_for == tid || t->pending_kind == EVENT_THREAD_JOIN)
			continue;
		if (!a)
			a = add(out, ADVICE_LOCK_ORDER);
		add_site(a,
			 t->held[t->held_count - 1 < WIRE_MAX_HELD ? t->held_count - 1 : 0].site);
		add_site(a, t->pending_site);
	}
}

static void advise_wakeup(const struct explain_exec *f, struct explanation *out)
{
	for (uint32_t tid = 0; tid < f->run.threads.count; tid++) {
		const struct wire_thread *t = &f->run.threads.items[tid];
		struct explanation_advice *a;

		if (!is_stuck(t) ||
		    (t->pending_kind != EVENT_COND_WAKE && t->pending_kind != EVENT_COND_WAIT))
			continue;
		a = add(out, ADVICE_WAKEUP);
		a->thread = tid;
		add_site(a, t->pending_site);
		for (uint32_t i = 0; i < f->ops.count; i++) {
			const struct wire_event *v = explain_event(f, i);

			if (v->addr != t->pending_addr || v->kind != EVENT_COND_SIGNAL)
				continue;
			a->broadcast = a->broadcast || v->aux > 0;
			if (a->sites.count < 2 || vec_last(&a->sites) != v->site)
				add_site(a, v->site);
		}
		return;
	}
}

/* ---- weak memory ---- */

static void advise_fences(const struct explain_exec *f, struct explanation *out)
{
	struct model_delays delays = VEC_INIT;
	const struct wire_event *events = f->run.events.items;

	model_delays_find(&delays, events, f->run.events.count);
	for (size_t i = 0; i < delays.count; i++) {
		const struct model_delay *d = &delays.items[i];
		struct explanation_advice *a = add(out, ADVICE_FENCE);
		size_t past = d->past_load != MODEL_DELAY_NONE ? d->past_load : d->past_store;

		a->thread = f->thread.items[events[d->issue].tid];
		add_site(a, events[d->issue].site);
		if (past != MODEL_DELAY_NONE)
			add_site(a, events[past].site);
	}
	vec_free(&delays);
}

/* ---- all ---- */

static bool same_advice(const struct explanation_advice *a, const struct explanation_advice *b)
{
	if (a->kind != b->kind || a->sites.count != b->sites.count)
		return false;
	for (size_t i = 0; i < a->sites.count; i++)
		if (a->sites.items[i] != b->sites.items[i])
			return false;
	return true;
}

static void drop_twins(struct explanation *out)
{
	size_t n = 0;

	for (size_t i = 0; i < out->advice.count; i++) {
		bool twin = false;

		for (size_t k = 0; k < n && !twin; k++)
			twin = same_advice(&out->advice.items[k], &out->advice.items[i]);
		if (twin)
			vec_free(&out->advice.items[i].sites);
		else
			out->advice.items[n++] = out->advice.items[i];
	}
	out->advice.count = n;
}

/* What so few schedules keep to is not known to help. */
#define MIN_SCHEDULES 5

/* Of what was tested with a good end, only the most telling; nothing that is refuted or untested,
 * but for calls that come too early: there is no schedule that shows them in time. */
static int worth(const struct explanation_advice *a)
{
	if (a->failed > 0)
		return 0;
	if (a->kind == ADVICE_WAKEUP)
		return 1;
	if (a->schedules < MIN_SCHEDULES)
		return 0;
	return a->kind == ADVICE_ORDER ? 2 : 3;
}

static void choose(struct explanation *out)
{
	int best = 0;
	size_t n = 0;

	for (size_t i = 0; i < out->advice.count; i++)
		best = worth(&out->advice.items[i]) > best ? worth(&out->advice.items[i]) : best;
	for (size_t i = 0; i < out->advice.count; i++) {
		struct explanation_advice *a = &out->advice.items[i];
		bool fence = a->kind == ADVICE_FENCE;

		/* Fences are tested together and belong together. */
		if (best > 0 && worth(a) == best && (n == 0 || fence))
			out->advice.items[n++] = *a;
		else
			vec_free(&a->sites);
	}
	out->advice.count = n;
}

int explain_advise(struct explain_search *s, uint64_t runs, struct explanation *out, struct err *e)
{
	const struct explain_exec *f = &s->failing->exec;
	int rc;

	if (wire_model_buffers(s->again.job.model))
		advise_fences(f, out);
	if (s->failing->thread == EXPLAIN_NONE) {
		advise_locks(f, out);
		advise_wakeup(f, out);
	}
	for (size_t i = 0; i < out->flows.count; i++)
		if (out->flows.items[i].root && s->failing->thread != EXPLAIN_NONE)
			advise_flow(s, &out->flows.items[i], out);
	if (s->failing->thread != EXPLAIN_NONE)
		advise_pairs(s, out);
	drop_twins(out);
	rc = explain_advice_test(s, runs, out, e);
	choose(out);
	return rc;
}
