/* Advice for threads that are stuck, and for stores that are late. */
#include "explain/advice_priv.h"

#include "model/delay.h"

static bool is_stuck(const struct wire_thread *t)
{
	return t->state == THREAD_BLOCKED || t->state == THREAD_SPINNING;
}

static bool wants_lock(const struct wire_thread *t)
{
	switch (t->pending_kind) {
	case EVENT_LOCK:
	case EVENT_RDLOCK:
	case EVENT_WRLOCK:
	case EVENT_SPIN_LOCK:
		return true;
	default:
		return false;
	}
}

/* The operation that took the lock the thread holds and took last, EXPLAIN_NONE. */
static uint32_t last_held(const struct explain_exec *x, uint32_t tid)
{
	for (uint32_t i = (uint32_t)x->ops.count; i-- > 0;) {
		const struct wire_event *v = explain_event(x, i);
		int depth = 1;

		if (v->tid != tid || !explain_takes(v))
			continue;
		for (uint32_t k = i + 1; k < x->ops.count && depth > 0; k++) {
			const struct wire_event *w = explain_event(x, k);

			if (w->tid == tid && w->addr == v->addr)
				depth += explain_takes(w) ? 1 : explain_gives(w) ? -1 : 0;
		}
		if (depth > 0)
			return i;
	}
	return EXPLAIN_NONE;
}

static void add_pair(struct explanation_advice *a, uint32_t first, uint32_t second)
{
	for (size_t i = 0; i + 1 < a->sites.count; i += 2)
		if (a->sites.items[i] == first && a->sites.items[i + 1] == second)
			return;
	explain_advice_add_site(a, first);
	explain_advice_add_site(a, second);
}

void explain_advice_locks(const struct explain_search *s, struct explain_advices *to)
{
	const struct explain_exec *f = &s->failing->exec;
	struct explanation_advice *a = NULL;

	for (uint32_t tid = 0; tid < f->run.threads.count; tid++) {
		const struct wire_thread *t = &f->run.threads.items[tid];
		uint32_t held = is_stuck(t) && wants_lock(t) ? last_held(f, tid) : EXPLAIN_NONE;

		if (held == EXPLAIN_NONE)
			continue;
		if (!a)
			a = explain_advice_add(to, ADVICE_LOCK_ORDER);
		add_pair(a, explain_event(f, held)->site, t->pending_site);
	}
}

static bool sleeps(const struct wire_thread *t)
{
	return is_stuck(t) &&
	       (t->pending_kind == EVENT_COND_WAKE || t->pending_kind == EVENT_COND_WAIT);
}

/* Sites: the wait, then the signals.  Whether a signal woke another thread: then all are to be. */
void explain_advice_wakeup(const struct explain_search *s, struct explain_advices *to)
{
	const struct explain_exec *f = &s->failing->exec;

	for (uint32_t tid = 0; tid < f->run.threads.count; tid++) {
		const struct wire_thread *t = &f->run.threads.items[tid];
		struct explanation_advice *a;

		if (!sleeps(t))
			continue;
		a = explain_advice_add(to, ADVICE_WAKEUP);
		a->thread = tid;
		a->check = SITE_NONE;
		explain_advice_add_site(a, t->pending_site);
		for (uint32_t i = 0; i < f->ops.count; i++) {
			const struct wire_event *v = explain_event(f, i);

			if (v->addr != t->pending_addr || v->kind != EVENT_COND_SIGNAL)
				continue;
			a->broadcast = a->broadcast || v->aux > 0;
			if (a->sites.count < 2 || vec_last(&a->sites) != v->site)
				explain_advice_add_site(a, v->site);
		}
		return;
	}
}

void explain_advice_fences(const struct explain_search *s, struct explain_advices *to)
{
	const struct explain_exec *f = &s->failing->exec;
	struct model_delays delays = VEC_INIT;
	const struct wire_event *events = f->run.events.items;

	model_delays_find(&delays, events, f->run.events.count);
	for (size_t i = 0; i < delays.count; i++) {
		const struct model_delay *d = &delays.items[i];
		struct explanation_advice *a = explain_advice_add(to, ADVICE_FENCE);
		size_t past = d->past_load != MODEL_DELAY_NONE ? d->past_load : d->past_store;

		a->thread = f->thread.items[events[d->issue].tid];
		explain_advice_add_site(a, events[d->issue].site);
		if (past != MODEL_DELAY_NONE)
			explain_advice_add_site(a, events[past].site);
	}
	vec_free(&delays);
}
