/* det: robust mutexes whose owners end: one with two heirs, one of a thread that is joined first,
 * one that is given up and cannot be recovered. */
#include <errno.h>
#include <pthread.h>

#include "check.h"

static pthread_mutex_t mutex;
static pthread_barrier_t ready;
static int recovered, given_up;

static void make(void)
{
	pthread_mutexattr_t attr;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	EXPECT(pthread_mutex_init(&mutex, &attr) == 0);
	pthread_mutexattr_destroy(&attr);
}

static void *dies(void *unused)
{
	(void)unused;
	EXPECT(pthread_mutex_lock(&mutex) == 0);
	pthread_barrier_wait(&ready);
	return NULL;
}

static void *inherits(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&ready);
	int result = pthread_mutex_lock(&mutex);
	if (result == EOWNERDEAD) {
		/* The other heir asks while the state is neither consistent nor given up. */
		for (int i = 0; i < 20; i++)
			sched_yield();
		recovered++;
		EXPECT(pthread_mutex_consistent(&mutex) == 0);
	} else {
		EXPECT(result == 0 && recovered == 1);
	}
	EXPECT(pthread_mutex_unlock(&mutex) == 0);
	return NULL;
}

static void two_heirs(void)
{
	pthread_t threads[3];
	recovered = 0;
	pthread_barrier_init(&ready, NULL, 3);
	pthread_create(&threads[0], NULL, dies, NULL);
	pthread_create(&threads[1], NULL, inherits, NULL);
	pthread_create(&threads[2], NULL, inherits, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	EXPECT(recovered == 1);
}

static void *gives_up(void *unused)
{
	(void)unused;
	int result = pthread_mutex_lock(&mutex);
	EXPECT(result == EOWNERDEAD || result == ENOTRECOVERABLE);
	given_up += result == ENOTRECOVERABLE;
	if (result == EOWNERDEAD)
		EXPECT(pthread_mutex_unlock(&mutex) == 0);
	return NULL;
}

static void after_join(void)
{
	pthread_t dead, threads[3];
	pthread_barrier_init(&ready, NULL, 1);
	pthread_create(&dead, NULL, dies, NULL);
	pthread_join(dead, NULL);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, gives_up, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	EXPECT(given_up == 2);
}

int main(void)
{
	for (int i = 0; i < 10; i++) {
		make();
		two_heirs();
	}
	make();
	after_join();
	puts("done");
	return 0;
}
