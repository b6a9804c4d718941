/*
 * A random program over all primitives, from a seed.  Unlike programs/random_program.c, what a
 * thread does next depends on the results it got: who won a trylock, what timed out, which thread
 * was the last at a barrier.  Any difference between two runs therefore grows until it is seen.
 *
 * Nothing waits for ever: locks are taken in ascending order, a token taken is given back, and the
 * barrier is met once by every thread at the end of each round.
 *
 * Arguments: seed, threads, rounds, operations per round.  Prints what every thread and every lock
 * has seen.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "../programs/check.h"
#include "heddle/stable.h"

#define OBJECTS 4
#define MAX_THREADS 64

static pthread_mutex_t mutex[OBJECTS]; /* normal, recursive, error checking, robust */
static mtx_t plain;
static pthread_mutex_t queue_mu = PTHREAD_MUTEX_INITIALIZER, isolated = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_cv = PTHREAD_COND_INITIALIZER;
static mtx_t c11_mu;
static cnd_t c11_cv;
static pthread_rwlock_t rwlock[OBJECTS];
static pthread_spinlock_t spin[OBJECTS];
static pthread_once_t once[OBJECTS] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT,
				       PTHREAD_ONCE_INIT};
static pthread_barrier_t barrier;
static pthread_key_t key;
static sem_t sem;
static int threads, rounds, operations, tokens, c11_tokens;
static uint64_t seed, seen[OBJECTS + 1], result[MAX_THREADS];

struct self {
	uint64_t state; /* of the generator; results are mixed in */
	uint64_t id;
};

/* The caller holds lock number at; the last one is queue_mu. */
static void mark(uint32_t at, uint64_t value)
{
	seen[at] = (seen[at] ^ (value + 1)) * 1099511628211u;
}

static uint32_t next(struct self *s)
{
	s->state = s->state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(s->state >> 33);
}

static void learn(struct self *s, uint64_t value)
{
	s->state ^= (value + 1) * 0x9e3779b97f4a7c15u;
}

static struct timespec soon(clockid_t clock, uint32_t us)
{
	struct timespec t;
	clock_gettime(clock, &t);
	t.tv_nsec += (long)us * 1000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void locked(struct self *s, uint32_t at)
{
	mark(at, s->id);
	learn(s, seen[at]);
	EXPECT(pthread_mutex_unlock(&mutex[at]) == 0);
}

static void lock_some_way(struct self *s, uint32_t r, uint32_t at)
{
	struct timespec limit;
	int got;
	switch (r % 4) {
	case 0:
		got = pthread_mutex_trylock(&mutex[at]);
		break;
	case 1:
		limit = soon(CLOCK_REALTIME, r % 300);
		got = pthread_mutex_timedlock(&mutex[at], &limit);
		break;
	case 2:
		limit = soon(CLOCK_MONOTONIC, r % 300);
		got = pthread_mutex_clocklock(&mutex[at], CLOCK_MONOTONIC, &limit);
		break;
	default:
		got = pthread_mutex_lock(&mutex[at]);
	}
	learn(s, (uint64_t)got);
	if (got == 0)
		locked(s, at);
	else
		EXPECT(got == EBUSY || got == ETIMEDOUT);
}

/* Two locks in ascending order; the recursive one twice, the error-checking one with its error. */
static void nest(struct self *s, uint32_t r, uint32_t at)
{
	uint32_t other = at + 1 + r % (OBJECTS - at);
	EXPECT(pthread_mutex_lock(&mutex[at]) == 0);
	if (at == 1) {
		EXPECT(pthread_mutex_lock(&mutex[at]) == 0);
		EXPECT(pthread_mutex_unlock(&mutex[at]) == 0);
	} else if (at == 2) {
		EXPECT(pthread_mutex_lock(&mutex[at]) == EDEADLK);
	}
	if (other < OBJECTS)
		EXPECT(pthread_mutex_lock(&mutex[other]) == 0);
	if (r & 64)
		sched_yield();
	if (other < OBJECTS)
		locked(s, other);
	locked(s, at);
}

static void queue(struct self *s, uint32_t r)
{
	pthread_mutex_lock(&queue_mu);
	while (tokens == 0)
		pthread_cond_wait(&queue_cv, &queue_mu);
	tokens--;
	mark(OBJECTS, s->id);
	learn(s, seen[OBJECTS]);
	pthread_mutex_unlock(&queue_mu);
	if (r & 1)
		usleep(r % 20);
	pthread_mutex_lock(&queue_mu);
	tokens++;
	if (r & 2)
		pthread_cond_broadcast(&queue_cv);
	else
		pthread_cond_signal(&queue_cv);
	pthread_mutex_unlock(&queue_mu);
}

static void wait_a_while(struct self *s, uint32_t r)
{
	clockid_t clock = r & 1 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
	struct timespec limit = soon(clock, r % 300);
	pthread_mutex_lock(&queue_mu);
	int got = r & 1 ? pthread_cond_timedwait(&queue_cv, &queue_mu, &limit)
			: pthread_cond_clockwait(&queue_cv, &queue_mu, clock, &limit);
	mark(OBJECTS, s->id + (uint64_t)got);
	learn(s, seen[OBJECTS]);
	if (got == 0) /* it may have been meant for somebody who waits for a token */
		pthread_cond_signal(&queue_cv);
	pthread_mutex_unlock(&queue_mu);
}

static void c11(struct self *s, uint32_t r)
{
	struct timespec limit;
	mtx_lock(&c11_mu);
	while (c11_tokens == 0)
		cnd_wait(&c11_cv, &c11_mu);
	c11_tokens--;
	mtx_unlock(&c11_mu);
	timespec_get(&limit, TIME_UTC);
	limit.tv_sec++;
	int got = r & 1 ? mtx_trylock(&plain) : mtx_timedlock(&plain, &limit);
	learn(s, (uint64_t)got);
	if (got == thrd_success)
		mtx_unlock(&plain);
	mtx_lock(&c11_mu);
	c11_tokens++;
	cnd_signal(&c11_cv);
	mtx_unlock(&c11_mu);
}

static void share(struct self *s, uint32_t r, uint32_t at)
{
	struct timespec limit = soon(CLOCK_REALTIME, r % 200);
	int got;
	switch (r % 6) {
	case 0:
		got = pthread_rwlock_rdlock(&rwlock[at]);
		break;
	case 1:
		got = pthread_rwlock_wrlock(&rwlock[at]);
		break;
	case 2:
		got = pthread_rwlock_tryrdlock(&rwlock[at]);
		break;
	case 3:
		got = pthread_rwlock_trywrlock(&rwlock[at]);
		break;
	case 4:
		got = pthread_rwlock_timedrdlock(&rwlock[at], &limit);
		break;
	default:
		got = pthread_rwlock_timedwrlock(&rwlock[at], &limit);
	}
	learn(s, (uint64_t)got);
	if (got != 0)
		return;
	if (r & 32)
		nest(s, r, at);
	EXPECT(pthread_rwlock_unlock(&rwlock[at]) == 0);
}

static void count(struct self *s, uint32_t r)
{
	struct timespec limit = soon(CLOCK_REALTIME, r % 200);
	int value, got = r % 3 == 0   ? sem_wait(&sem)
			 : r % 3 == 1 ? sem_trywait(&sem)
				      : sem_timedwait(&sem, &limit);
	learn(s, got == 0 ? 0 : (uint64_t)errno);
	EXPECT(sem_getvalue(&sem, &value) == 0);
	learn(s, (uint64_t)value);
	if (got == 0)
		sem_post(&sem);
}

static void spin_some(struct self *s, uint32_t r, uint32_t at)
{
	int got = r & 1 ? pthread_spin_lock(&spin[at]) : pthread_spin_trylock(&spin[at]);
	learn(s, (uint64_t)got);
	if (got == 0)
		pthread_spin_unlock(&spin[at]);
}

static void initialise(void)
{
	sched_yield();
	pthread_mutex_lock(&mutex[0]);
	mark(0, 77);
	pthread_mutex_unlock(&mutex[0]);
}

static void sleep_some_way(struct self *s, uint32_t r)
{
	struct timespec t = {.tv_nsec = r % 50 * 1000}, until;
	switch (r % 6) {
	case 0:
		usleep(r % 50);
		break;
	case 1:
		nanosleep(&t, NULL);
		break;
	case 2:
		until = soon(CLOCK_MONOTONIC, r % 50);
		learn(s, (uint64_t)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL));
		break;
	case 3:
		poll(NULL, 0, 1);
		break;
	case 4:
		thrd_yield();
		break;
	default:
		sched_yield();
	}
}

/* Children end in every way: by returning, leaving, being cancelled, with a key's destructor. */
static void *child(void *value)
{
	uintptr_t way = (uintptr_t)value % 4;
	pthread_setspecific(key, value);
	if (way == 3) {
		for (;;)
			usleep(100);
	}
	pthread_mutex_lock(&mutex[0]);
	mark(0, (uintptr_t)value);
	pthread_mutex_unlock(&mutex[0]);
	if (way == 1)
		pthread_exit(value);
	return value;
}

static int c11_child(void *value)
{
	initialise();
	return (int)(uintptr_t)value & 0xff;
}

static void destroy(void *value)
{
	pthread_mutex_lock(&mutex[3]);
	mark(3, (uintptr_t)value);
	pthread_mutex_unlock(&mutex[3]);
}

static void spawn(struct self *s, uint32_t r)
{
	void *argument = (void *)(uintptr_t)((r & ~3u) + 4 + r % 4), *value = NULL;
	pthread_t t;
	EXPECT(pthread_create(&t, NULL, child, argument) == 0);
	if (r % 4 == 2 && (r & 16)) {
		EXPECT(pthread_detach(t) == 0);
		return;
	}
	if (r % 4 == 3)
		EXPECT(pthread_cancel(t) == 0);
	if (r & 32) {
		struct timespec limit = soon(CLOCK_REALTIME, r % 400);
		int got = r & 64 ? pthread_tryjoin_np(t, &value)
				 : pthread_timedjoin_np(t, &value, &limit);
		learn(s, (uint64_t)got);
		if (got == 0)
			goto joined;
	}
	EXPECT(pthread_join(t, &value) == 0);
joined:
	EXPECT(value == (r % 4 == 3 ? PTHREAD_CANCELED : argument));
}

static void spawn_c11(struct self *s, uint32_t r)
{
	thrd_t t;
	int value = -1;
	EXPECT(thrd_create(&t, c11_child, (void *)(uintptr_t)r) == thrd_success);
	EXPECT(thrd_join(t, &value) == thrd_success && value == (int)(r & 0xff));
	learn(s, (uint64_t)value);
}

static void outside(void)
{
	pcs_enter();
	pthread_mutex_lock(&isolated);
	pthread_mutex_unlock(&isolated);
	pcs_exit();
}

static void step(struct self *s)
{
	uint32_t r = next(s), at = next(s) % OBJECTS, what = next(s) % 16;
	switch (what) {
	case 0:
	case 1:
		nest(s, r, at);
		break;
	case 2:
	case 3:
		lock_some_way(s, r, at);
		break;
	case 4:
	case 5:
		queue(s, r);
		break;
	case 6:
		wait_a_while(s, r);
		break;
	case 7:
		c11(s, r);
		break;
	case 8:
		share(s, r, at);
		break;
	case 9:
		count(s, r);
		break;
	case 10:
		spin_some(s, r, at);
		break;
	case 11:
		EXPECT(pthread_once(&once[at], initialise) == 0);
		break;
	case 12:
		sleep_some_way(s, r);
		break;
	case 13:
		if (r & 1)
			spawn(s, r >> 1);
		else
			spawn_c11(s, r >> 1);
		break;
	case 14:
		soba_wait();
		break;
	default:
		outside();
	}
}

static void *work(void *argument)
{
	struct self s = {.id = (uintptr_t)argument, .state = seed * 977 + (uintptr_t)argument};
	for (int round = 0; round < rounds; round++) {
		for (int i = 0; i < operations; i++)
			step(&s);
		learn(&s, (uint64_t)(pthread_barrier_wait(&barrier) != 0));
	}
	result[s.id] = s.state;
	return NULL;
}

static void prepare(void)
{
	static const int kind[OBJECTS] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE,
					  PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_NORMAL};
	pthread_mutexattr_t a;
	for (int i = 0; i < OBJECTS; i++) {
		pthread_mutexattr_init(&a);
		pthread_mutexattr_settype(&a, kind[i]);
		if (i == 3)
			pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
		EXPECT(pthread_mutex_init(&mutex[i], &a) == 0);
		pthread_rwlock_init(&rwlock[i], NULL);
		pthread_spin_init(&spin[i], PTHREAD_PROCESS_PRIVATE);
	}
	mtx_init(&plain, mtx_timed);
	mtx_init(&c11_mu, mtx_plain);
	cnd_init(&c11_cv);
	tokens = c11_tokens = threads > 2 ? threads - 1 : 1;
	sem_init(&sem, 0, 1 + (unsigned)threads / 3);
	pthread_barrier_init(&barrier, NULL, (unsigned)threads);
	pthread_key_create(&key, destroy);
	soba_init(threads);
}

static int number(int argc, char **argv, int at, int fallback)
{
	return argc > at ? atoi(argv[at]) : fallback;
}

int main(int argc, char **argv)
{
	pthread_t t[MAX_THREADS];
	seed = (uint64_t)number(argc, argv, 1, 1);
	threads = number(argc, argv, 2, 4);
	rounds = number(argc, argv, 3, 3);
	operations = number(argc, argv, 4, 20);
	if (threads < 1 || threads > MAX_THREADS)
		return 2;
	prepare();
	for (intptr_t i = 0; i < threads; i++)
		EXPECT(pthread_create(&t[i], NULL, work, (void *)i) == 0);
	for (int i = 0; i < threads; i++)
		EXPECT(pthread_join(t[i], NULL) == 0);
	for (int i = 0; i < threads; i++)
		printf("T%d %016llx\n", i, (unsigned long long)result[i]);
	for (int i = 0; i < OBJECTS; i++) {
		pthread_mutex_lock(&mutex[i]); /* detached children may still be at work */
		printf("m%d %016llx\n", i, (unsigned long long)seen[i]);
		pthread_mutex_unlock(&mutex[i]);
	}
	return 0;
}
