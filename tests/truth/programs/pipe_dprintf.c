/*
 * dprintf writes into a pipe of the model.
 *
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* The other program of the pair forgets to lock. */
#ifdef UNLOCKED
#define LOCK() ((void)0)
#define UNLOCK() ((void)0)
#else
#define LOCK() pthread_mutex_lock(&mutex)
#define UNLOCK() pthread_mutex_unlock(&mutex)
#endif

static int ends[2], number;

static void *worker(void *arg)
{
	LOCK();
	assert(dprintf(ends[1], "%d", ++number) == 1);
	UNLOCK();
	return arg;
}

int main(void)
{
	pthread_t t, u;
	char got[2];

	assert(pipe(ends) == 0);
	pthread_create(&t, NULL, worker, NULL);
	pthread_create(&u, NULL, worker, NULL);
	assert(read(ends[0], &got[0], 1) == 1 && read(ends[0], &got[1], 1) == 1);
	assert(got[0] == '1' && got[1] == '2');
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
