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
	case EVENT_SEM_WAIT: /* that somebody holds: see last_held() */
		return true;
	default:
		return false;
	}
}

/* A semaphore that a thread takes from and gives back is a lock. */
static bool takes(const struct wire_event *v)
{
	return explain_takes(v) || v->kind == EVENT_SEM_WAIT;
}

static bool gives(const struct wire_event *v)
{
	return explain_gives(v) || v->kind == EVENT_SEM_POST;
}

/* The operation that took the lock the thread holds and took last, EXPLAIN_NONE. */
static uint32_t last_held(const struct explain_exec *x, uint32_t tid)
{
	for (uint32_t i = (uint32_t)x->ops.count; i-- > 0;) {
		const struct wire_event *v = explain_event(x, i);
		int depth = 1;

		if (v->tid != tid || !takes(v))
			continue;
		for (uint32_t k = i + 1; k < x->ops.count && depth > 0; k++) {
			const struct wire_event *w = explain_event(x, k);

			if (w->tid == tid && w->addr == v->addr)
				depth += takes(w) ? 1 : gives(w) ? -1 : 0;
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

/* Where it passes, the thread that took from the semaphore gives back to it. */
static bool is_a_lock(const struct explain_search *s, uint32_t thread, const struct wire_event *v)
{
	if (v->kind != EVENT_SEM_WAIT)
		return true;
	for (uint32_t i = 0; i < s->best.ops.count; i++)
		if (s->best.ops.items[i].thread == thread &&
		    explain_event(&s->best, i)->kind == EVENT_SEM_POST &&
		    explain_event(&s->best, i)->addr == v->addr)
			return true;
	return false;
}

void explain_advice_locks(const struct explain_search *s, struct explain_advices *to)
{
	const struct explain_exec *f = &s->failing->exec;
	struct explanation_advice *a = NULL;

	for (uint32_t tid = 0; tid < f->run.threads.count; tid++) {
		const struct wire_thread *t = &f->run.threads.items[tid];
		uint32_t held = is_stuck(t) && wants_lock(t) ? last_held(f, tid) : EXPLAIN_NONE;

		if (held == EXPLAIN_NONE || !is_a_lock(s, tid, explain_event(f, held)) ||
		    !is_a_lock(
			    s, tid,
			    &(struct wire_event){.kind = t->pending_kind, .addr = t->pending_addr}))
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

/* The site of what a fence keeps apart from its store in the failing execution, SITE_NONE. */
static uint32_t other_side(const struct explain_exec *f, const struct wire_fence *fence)
{
	struct model_delays delays = VEC_INIT;
	const struct wire_event *events = f->run.events.items;
	uint32_t site = SITE_NONE;

	model_delays_find(&delays, events, f->run.events.count);
	for (size_t i = 0; i < delays.count && site == SITE_NONE; i++) {
		const struct model_delay *d = &delays.items[i];
		bool full = fence->kind == FENCE_FULL;
		size_t past = full ? d->past_load : d->past_store;

		if (past == MODEL_DELAY_NONE)
			continue;
		if (full && events[d->issue].site == fence->site)
			site = events[past].site;
		else if (!full && events[past].site == fence->site)
			site = events[d->issue].site;
	}
	vec_free(&delays);
	return site;
}

void explain_advice_fences(const struct explain_search *s, const struct model_weak *w,
			   struct explain_advices *to)
{
	for (unsigned i = 0; i < w->fence_count; i++) {
		struct explanation_advice *a = explain_advice_add(to, ADVICE_FENCE);
		uint32_t other = other_side(&s->failing->exec, &w->fences[i].fence);

		a->fence = w->fences[i].fence.kind;
		a->check = SITE_NONE;
		a->all = w->with.kind == SEARCH_COMPLETE;
		a->executions = w->with.count;
		a->checked = w->with.kind != SEARCH_NONE;
		explain_advice_add_site(a, w->fences[i].fence.site);
		if (other != SITE_NONE)
			explain_advice_add_site(a, other);
	}
}
