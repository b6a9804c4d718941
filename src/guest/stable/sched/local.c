#include "guest/stable/sched/local.h"

#include "guest/stable/conf.h"
#include "guest/stable/obj.h"
#include "guest/stable/os.h"
#include "guest/stable/sched/check.h"
#include "guest/stable/sched/pool.h"
#include "guest/stable/sched/schedlog.h"
#include "guest/stable/sched/threads.h"
#include "guest/stable/sched/waitq.h"
#include "guest/stable/sched/policy.h"

#define LIMIT_START 128
#define ROW 2	   /* times in a row that make a mutex one's own, at first … */
#define LOST_MAX 2 /* … doubled each time it is lost, at most so often */

_Static_assert(sizeof(struct local_state) <= sizeof(((pthread_mutex_t *)0)->__data.__list),
	       "the state must fit into the unused links");

void local_init_thread(struct sched_thread *t)
{
	t->local.limit = sched_policy->local ? LIMIT_START : 0;
}

static void note(struct sched_thread *t, uint16_t op, void *addr)
{
	/* The limit bounds the number of entries; the beginning of the thread may be one more. */
	if (!t->local.log)
		t->local.log = os_pages((LOCAL_LIMIT_MAX + 1) * sizeof(*t->local.log));
	SCHED_ASSERT(t->local.logged <= LOCAL_LIMIT_MAX);
	t->local.log[t->local.logged++] =
		(struct local_entry){.addr = addr, .pc = t->pc[0], .op = op};
}

void local_done(struct sched_thread *t, uint16_t op, void *addr, bool releases)
{
	if (__builtin_expect(schedlog_active, 0))
		note(t, op, addr);
	t->local.run++;
	if (releases && 2 * t->local.ahead < t->local.limit) {
		t->local.ahead++;
		sched_use_ahead(t);
	}
}

static void write_log(struct sched_thread *t)
{
	uintptr_t pc = t->pc[0];
	for (uint32_t i = 0; i < t->local.logged; i++) {
		struct local_entry *e = &t->local.log[i];
		t->pc[0] = e->pc;
		if (e->op == STABLE_OP_MUTEX_INIT || e->op == STABLE_OP_COND_INIT)
			obj_new(schedlog_kind(e->op), e->addr);
		schedlog_write(t, &(struct schedlog_op){.op = e->op, .addr = e->addr});
	}
	t->local.logged = 0;
	t->pc[0] = pc;
}

void local_end_run(struct sched_thread *t)
{
	/* Not asked for anything: look less often. */
	if (t->local.run >= t->local.limit && t->local.run != LOCAL_BARRED && !t->local.wanted_by &&
	    t->local.limit < LOCAL_LIMIT_MAX)
		t->local.limit *= 2;
	t->local.run = t->local.ahead = 0;
	if (t->local.logged)
		write_log(t);
}

static void append_wanting(struct sched_thread *owner, struct sched_thread *t, pthread_mutex_t *m)
{
	t->local.wants = m;
	t->local.wants_next = NULL;
	struct sched_thread **link = &owner->local.wanted_by;
	while (*link)
		link = &(*link)->local.wants_next;
	*link = t;
}

bool local_claim(struct sched_thread *t, pthread_mutex_t *m)
{
	struct local_state *s = local_of(m);
	if (__builtin_expect(t->local.wants != NULL, 0))
		local_withdraw(t);
	if (!s->owner || s->owner == t->tid + 1)
		return true;
	struct sched_thread *owner = threads_by_id(s->owner - 1);
	SCHED_ASSERT(owner != t && !t->local.wants);
	if (!owner || !owner->in_rq) {
		/* It stands still: whatever it did is done. */
		__atomic_store_n(&s->owner, 0, __ATOMIC_RELAXED);
		s->lost += s->lost < LOST_MAX;
		return true;
	}
	append_wanting(owner, t, m);
	return false;
}

void local_withdraw(struct sched_thread *t)
{
	SCHED_ASSERT(t->local.wants);
	uint32_t owner_id = local_of(t->local.wants)->owner;
	struct sched_thread *owner = owner_id ? threads_by_id(owner_id - 1) : NULL;
	t->local.wants = NULL;
	if (!owner)
		return;
	for (struct sched_thread **link = &owner->local.wanted_by; *link; link = &(*link)->local.wants_next) {
		if (*link == t) {
			*link = t->local.wants_next;
			return;
		}
	}
}

/* Those who waited for another to release it wait for its new owner to give it up. */
static void own_at_once(struct sched_thread *t, pthread_mutex_t *m)
{
	for (struct sched_thread *w = sched.waiting ? waitq_first(m) : NULL; w; w = waitq_after(w)) {
		if (!w->local.wants)
			append_wanting(t, w, m);
	}
	__atomic_store_n(&local_of(m)->owner, t->tid + 1, __ATOMIC_RELAXED);
}

void local_taken(struct sched_thread *t, pthread_mutex_t *m)
{
	struct local_state *s = local_of(m);
	s->counted = 1;
	if (s->eager) {
		own_at_once(t, m);
		return;
	}
	if (s->last != t->tid + 1) {
		s->last = t->tid + 1;
		s->row = 0;
		return;
	}
	/* What workers leave with their items others use soon. */
	if (t->work.queue == m && pool_is_worker(t))
		return;
	if (s->owner || ++s->row < ROW << s->lost || (sched.waiting && waitq_first(m)))
		return;
	__atomic_store_n(&s->owner, t->tid + 1, __ATOMIC_RELAXED);
}

void local_give_up(struct sched_thread *t)
{
	struct sched_thread *other = t->local.wanted_by;
	t->local.wanted_by = NULL;
	/* Asked for: look more often. */
	if (other && t->local.limit > LOCAL_LIMIT_MIN)
		t->local.limit /= 2;
	while (other) {
		struct sched_thread *next = other->local.wants_next;
		SCHED_ASSERT(other != t && other->local.wants);
		pthread_mutex_t *m = other->local.wants;
		struct local_state *s = local_of(m);
		other->local.wants = NULL;
		if (s->owner == t->tid + 1) {
			__atomic_store_n(&s->owner, 0, __ATOMIC_RELAXED);
			s->row = 0;
			s->lost += s->lost < LOST_MAX;
		}
		/*
		 * Locked: the release will be one with the turn, and wakes it.  But who only tries
		 * has its answer now, and the owner may be waiting for what that one holds.
		 */
		if (other->wait.op == STABLE_OP_MUTEX_TRYLOCK)
			sched_broadcast(m);
		else if (m->__data.__lock == 0)
			sched_signal(m);
		other = next;
	}
}
