/*
 * A random program over all primitives, from a seed: the same operations per thread in every run,
 * whatever the interleaving.  What a thread does next depends only on its own generator.
 * Arguments: seed, threads, operations per thread.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "heddle/stable.h"

#define OBJECTS 4

static pthread_mutex_t mutex[OBJECTS];
static pthread_mutex_t queue_mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_cv = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock[OBJECTS];
static pthread_spinlock_t spin[OBJECTS];
static pthread_once_t once[OBJECTS] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT,
				       PTHREAD_ONCE_INIT};
static pthread_barrier_t barrier;
static sem_t sem;
static int operations, tokens;
static uint64_t trace[OBJECTS + 1]; /* order of critical sections, one for each lock */

/* The caller holds lock number at. */
static void mark(uint32_t at, uint64_t value)
{
	trace[at] = (trace[at] ^ (value + 1)) * 1099511628211u;
}

static uint32_t next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

static void initialise(void)
{
	sched_yield();
}

static void *child(void *value)
{
	pthread_mutex_lock(&mutex[0]);
	mark(0, (uintptr_t)value);
	pthread_mutex_unlock(&mutex[0]);
	return value;
}

static struct timespec soon(uint32_t us)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += (long)us * 1000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void timed(uint32_t r, uint32_t at, uintptr_t id)
{
	struct timespec limit = soon(r % 300);
	if (r & 1) {
		if (pthread_mutex_timedlock(&mutex[at], &limit) == 0) {
			mark(at, id);
			pthread_mutex_unlock(&mutex[at]);
		}
	} else {
		pthread_mutex_lock(&queue_mu);
		mark(OBJECTS, id + (uint64_t)pthread_cond_timedwait(&queue_cv, &queue_mu, &limit));
		pthread_mutex_unlock(&queue_mu);
	}
}

/* A token taken is a token given back: nobody waits for ever. */
static void queue(uint32_t r, uintptr_t id)
{
	pthread_mutex_lock(&queue_mu);
	while (tokens == 0)
		pthread_cond_wait(&queue_cv, &queue_mu);
	tokens--;
	mark(OBJECTS, id);
	pthread_mutex_unlock(&queue_mu);
	if (r & 1)
		sched_yield();
	pthread_mutex_lock(&queue_mu);
	tokens++;
	if (r & 2)
		pthread_cond_broadcast(&queue_cv);
	else
		pthread_cond_signal(&queue_cv);
	pthread_mutex_unlock(&queue_mu);
}

static void nest(uint32_t r, uint32_t at, uintptr_t id)
{
	uint32_t other = at + 1 + r % (OBJECTS - at);
	pthread_mutex_lock(&mutex[at]);
	if (other < OBJECTS)
		pthread_mutex_lock(&mutex[other]);
	mark(at, id);
	if (other < OBJECTS)
		pthread_mutex_unlock(&mutex[other]);
	pthread_mutex_unlock(&mutex[at]);
}

static void share(uint32_t r, uint32_t at, uintptr_t id)
{
	if (r & 1) {
		pthread_rwlock_wrlock(&rwlock[at]);
		pthread_mutex_lock(&mutex[0]);
		mark(0, id);
		pthread_mutex_unlock(&mutex[0]);
	} else if (pthread_rwlock_tryrdlock(&rwlock[at]) != 0) {
		return;
	}
	pthread_rwlock_unlock(&rwlock[at]);
}

static void spawn(uintptr_t id)
{
	pthread_t t;
	void *value;
	EXPECT(pthread_create(&t, NULL, child, (void *)id) == 0);
	EXPECT(pthread_join(t, &value) == 0 && value == (void *)id);
}

static void step(uint64_t *state, uintptr_t id)
{
	uint32_t r = next(state), at = next(state) % OBJECTS, what = next(state) % 12;
	switch (what) {
	case 0:
	case 1:
		nest(r, at, id);
		break;
	case 2:
		if (pthread_mutex_trylock(&mutex[at]) == 0) {
			mark(at, id);
			pthread_mutex_unlock(&mutex[at]);
		}
		break;
	case 3:
		queue(r, id);
		break;
	case 4:
		share(r, at, id);
		break;
	case 5:
		sem_wait(&sem);
		sem_post(&sem);
		break;
	case 6:
		pthread_spin_lock(&spin[at]);
		pthread_spin_unlock(&spin[at]);
		break;
	case 7:
		pthread_once(&once[at], initialise);
		break;
	case 8:
		timed(r, at, id);
		break;
	case 9:
		usleep(r % 50);
		break;
	case 10:
		soba_wait();
		break;
	default:
		spawn(id);
		break;
	}
}

static uint64_t seed;

static void *work(void *argument)
{
	uintptr_t id = (uintptr_t)argument;
	uint64_t state = seed * 977 + id;
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < operations; i++)
		step(&state, id);
	pthread_barrier_wait(&barrier);
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 2 ? atoi(argv[2]) : 4;
	pthread_t t[64];
	seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	operations = argc > 3 ? atoi(argv[3]) : 40;
	tokens = threads > 2 ? threads - 1 : 1;
	for (int i = 0; i < OBJECTS; i++) {
		pthread_mutex_init(&mutex[i], NULL);
		pthread_rwlock_init(&rwlock[i], NULL);
		pthread_spin_init(&spin[i], PTHREAD_PROCESS_PRIVATE);
	}
	sem_init(&sem, 0, 1 + (unsigned)threads / 3);
	pthread_barrier_init(&barrier, NULL, (unsigned)threads);
	soba_init(threads);
	for (uintptr_t i = 0; i < (uintptr_t)threads; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i <= OBJECTS; i++)
		printf("%016llx\n", (unsigned long long)trace[i]);
	return 0;
}
