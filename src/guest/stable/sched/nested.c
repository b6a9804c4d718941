#include "guest/stable/sched/nested.h"

#include <errno.h>
#include <fcntl.h>

#include "guest/stable/conf.h"
#include "guest/stable/os.h"
#include "guest/stable/real.h"
#include "guest/stable/sched/sched.h"

bool nested_on;
static struct nested_ctl *shared;
static const struct sched_thread *exits; /* whose next turn is the last of the process */

/* heddle waits and wakes in another process. */
static void wait_shared(uint32_t *word, uint32_t value)
{
	sys_futex_wait(word, value, -1);
}

static void wake_shared(uint32_t *word)
{
	sys_futex_wake(word, INT32_MAX);
}

void nested_init(const char *path)
{
	int32_t nobody = 0;
	int fd = path[0] ? os_open(path, O_RDWR, 0) : -1;
	if (fd < 0)
		return;
	shared = os_map_shared(fd, sizeof(*shared), 0);
	sys_close(fd);
	if (!shared || shared->magic != NESTED_MAGIC || shared->version != NESTED_VERSION ||
	    !__atomic_compare_exchange_n(&shared->owner, &nobody, sys_getpid(), false,
					 __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return;
	nested_on = true;
}

void nested_leave(void)
{
	nested_on = false;
}

static struct nested_slot *slot_of(const struct sched_thread *t)
{
	return t && t->tid < NESTED_SLOTS ? &shared->slot[t->tid] : NULL;
}

static void lock(void)
{
	while (__atomic_exchange_n(&shared->lock, 1, __ATOMIC_ACQUIRE))
		os_yield();
}

static void unlock(void)
{
	__atomic_store_n(&shared->lock, 0, __ATOMIC_RELEASE);
}

void nested_note(enum nested_reason why, uintptr_t pc)
{
	uint32_t before = __atomic_fetch_or(&shared->reasons, why, __ATOMIC_ACQ_REL);
	if (!(before & why))
		shared->why_pc[__builtin_ctz(why)] = pc;
}

/* ---- what is possible ---- */

static bool mutex_is_free(const void *mutex, int os_tid)
{
	const pthread_mutex_t *m = mutex;
	int type = m->__data.__kind & 3;
	if (__atomic_load_n(&m->__data.__lock, __ATOMIC_RELAXED) == 0)
		return true;
	/* What its owner does with it returns at once, unless it waits for itself. */
	return m->__data.__owner == os_tid &&
	       (type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK);
}

static bool can_lock(const struct nested_slot *s, int os_tid, bool writes)
{
	pthread_rwlock_t *l = (pthread_rwlock_t *)s->object;
	/* Its own writer is told so at once. */
	if (l->__data.__cur_writer == os_tid)
		return true;
	int result = writes ? real.pthread_rwlock_trywrlock(l) : real.pthread_rwlock_tryrdlock(l);
	if (result == 0)
		real.pthread_rwlock_unlock(l);
	return result == 0;
}

static bool sem_is_up(const struct nested_slot *s)
{
	int value = 0;
	return real.sem_getvalue((sem_t *)s->object, &value) != 0 || value > 0;
}

static bool is_possible(const struct nested_slot *s, int os_tid)
{
	switch (s->kind) {
	case NESTED_LOCK:
		return mutex_is_free((void *)s->object, os_tid);
	case NESTED_SPIN:
		return *(volatile int *)s->object == 1;
	case NESTED_COND_WAKE:
		return s->woken && mutex_is_free((void *)s->second, os_tid);
	case NESTED_COND_TIMEOUT:
		return mutex_is_free((void *)s->second, os_tid);
	case NESTED_LEAVE:
		return s->woken;
	case NESTED_SEM_WAIT:
		return sem_is_up(s);
	case NESTED_RDLOCK:
		return can_lock(s, os_tid, false);
	case NESTED_WRLOCK:
		return can_lock(s, os_tid, true);
	default:
		return true;
	}
}

static struct sched_thread *thread_in(uint32_t i)
{
	for (struct sched_thread *t = sched.all; t; t = t->all_next) {
		if (t->tid == i)
			return t;
	}
	return NULL;
}

/* ---- nobody runs ---- */

static void let_go(struct nested_slot *s, uint32_t how)
{
	s->state = NESTED_RUNS;
	shared->running++;
	__atomic_store_n(&s->go, how, __ATOMIC_RELEASE);
	wake_shared(&s->go);
}

static bool is_turn(const struct nested_slot *s)
{
	return s->kind == NESTED_TURN || s->kind == NESTED_EXIT;
}

/* A turn that nothing can come before needs no answer. */
static bool go_on_alone(void)
{
	struct nested_slot *only = NULL;
	for (uint32_t i = 0; i < NESTED_SLOTS; i++) {
		struct nested_slot *s = &shared->slot[i];
		if (s->state == NESTED_IS_AWAY || (s->state == NESTED_ASKS && only))
			return false;
		if (s->state == NESTED_ASKS)
			only = s;
	}
	if (!only || !is_turn(only))
		return false;
	let_go(only, NESTED_GO);
	return true;
}

static void ask(void)
{
	for (uint32_t i = 0; i < NESTED_SLOTS; i++) {
		struct nested_slot *s = &shared->slot[i];
		struct sched_thread *t = s->state == NESTED_ASKS ? thread_in(i) : NULL;
		s->enabled = t && is_possible(s, t->os_tid);
	}
	shared->timer = sched_next_deadline();
	shared->time = sched.time;
	__atomic_add_fetch(&shared->ask, 1, __ATOMIC_RELEASE);
	wake_shared(&shared->ask);
}

/* With the lock: the caller's slot does not run any more. */
static void stop(struct nested_slot *s, enum nested_state state)
{
	s->go = NESTED_STAY;
	if (s->state == NESTED_RUNS)
		shared->running--;
	s->state = state;
	if (shared->running == 0 && !go_on_alone())
		ask();
}

static uint32_t until_go(struct nested_slot *s)
{
	uint32_t go;
	while ((go = __atomic_load_n(&s->go, __ATOMIC_ACQUIRE)) == NESTED_STAY)
		wait_shared(&s->go, NESTED_STAY);
	return go;
}

/* ---- threads of the schedule ---- */

void nested_born(struct sched_thread *t)
{
	struct nested_slot *s = slot_of(t);
	lock();
	if (s) {
		s->state = NESTED_RUNS;
		shared->running++;
	} else {
		nested_note(NESTED_WHY_THREADS, t->pc[0]);
	}
	unlock();
}

void nested_dies(struct sched_thread *t)
{
	struct nested_slot *s = slot_of(t);
	lock();
	if (s)
		stop(s, NESTED_DEAD);
	unlock();
}

void nested_park(struct sched_thread *t)
{
	struct nested_slot *s = slot_of(t);
	while (sched_state(t) != SCHED_GRANTED) {
		if (!s) {
			os_yield();
			continue;
		}
		lock();
		/* Granted meanwhile, or else whoever grants it sees that it stands. */
		if (sched_state(t) == SCHED_GRANTED) {
			unlock();
			return;
		}
		stop(s, NESTED_STANDS);
		unlock();
		if (until_go(s) == NESTED_GO_TIMER)
			sched_pass_time(t);
	}
}

void nested_granted(struct sched_thread *t)
{
	struct nested_slot *s = slot_of(t);
	lock();
	/* It may have seen that by itself and stand again: then it looks, and stands once more. */
	if (s && s->state == NESTED_STANDS)
		let_go(s, NESTED_GO);
	unlock();
}

/* ---- requests ---- */

void nested_ask(enum nested_kind kind, void *object, void *second, uintptr_t pc)
{
	struct nested_slot *s = slot_of(sched_self);
	int saved = errno;
	if (!s)
		return;
	lock();
	s->kind = kind;
	s->object = (uint64_t)(uintptr_t)object;
	s->second = (uint64_t)(uintptr_t)second;
	s->pc = pc;
	stop(s, NESTED_ASKS);
	unlock();
	until_go(s);
	errno = saved;
}

void nested_turn(void)
{
	/* With sections that end at a turn, turns and what is in sections do not meet. */
	bool last = exits && exits == sched_self;
	if (conf.pcs_exit && !last)
		return;
	if (last)
		exits = NULL;
	nested_ask(last ? NESTED_EXIT : NESTED_TURN, NULL, NULL, 0);
}

void nested_exits(void)
{
	exits = sched_self;
}

bool nested_inside(void)
{
	struct sched_thread *t = sched_self;
	return nested_on && t && (t->pcs.depth > 0 || sched_state(t) == SCHED_NONDET);
}

void nested_away(uintptr_t pc)
{
	struct nested_slot *s = slot_of(sched_self);
	nested_note(NESTED_WHY_AWAY, pc);
	lock();
	if (s)
		stop(s, NESTED_IS_AWAY);
	unlock();
}

void nested_await_section(struct sched_thread *t)
{
	struct nested_slot *s = slot_of(sched_self);
	lock();
	if (__atomic_load_n(&t->pcs.out, __ATOMIC_ACQUIRE) || !s) {
		unlock();
		return;
	}
	s->object = (uint64_t)(uintptr_t)t;
	stop(s, NESTED_AWAITS);
	unlock();
	until_go(s);
	s->object = 0;
}

void nested_end_section(struct sched_thread *t)
{
	lock();
	__atomic_store_n(&t->pcs.out, 1, __ATOMIC_RELEASE);
	for (uint32_t i = 0; i < NESTED_SLOTS; i++) {
		struct nested_slot *s = &shared->slot[i];
		if (s->state == NESTED_AWAITS && s->object == (uint64_t)(uintptr_t)t)
			let_go(s, NESTED_GO);
	}
	unlock();
}

/* ---- conditions and barriers ---- */

void nested_wait_at(void *object)
{
	struct nested_slot *s = slot_of(sched_self);
	if (!s)
		return;
	lock();
	s->waits = (uint64_t)(uintptr_t)object;
	s->order = ++shared->orders;
	s->woken = 0;
	unlock();
}

/* Those that were not woken yet. */
static struct nested_slot *first_at(const void *object, uint32_t *count)
{
	struct nested_slot *first = NULL;
	*count = 0;
	for (uint32_t i = 0; i < NESTED_SLOTS; i++) {
		struct nested_slot *s = &shared->slot[i];
		if (s->waits != (uint64_t)(uintptr_t)object || s->woken)
			continue;
		++*count;
		if (!first || s->order < first->order)
			first = s;
	}
	return first;
}

uint32_t nested_waiters(const void *object)
{
	uint32_t count;
	lock();
	first_at(object, &count);
	unlock();
	return count;
}

bool nested_wake(const void *object)
{
	uint32_t count;
	lock();
	struct nested_slot *s = first_at(object, &count);
	if (s)
		s->woken = 1;
	unlock();
	return s != NULL;
}

bool nested_was_woken(void)
{
	struct nested_slot *s = slot_of(sched_self);
	bool woken = s && s->woken;
	if (s)
		s->waits = s->woken = 0;
	return woken;
}
