/*
 * A wait with a time limit ends, and right after it the thread fails: it stands nowhere any more.
 *
 * expect: 1
 * match: assertion failed
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t tokens;

static void *give(void *arg)
{
	sem_post(&tokens);
	return arg;
}

int main(void)
{
	struct timespec limit;
	pthread_t t;

	sem_init(&tokens, 0, 0);
	pthread_create(&t, NULL, give, NULL);
	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_sec += 1;
	assert(sem_timedwait(&tokens, &limit) == 0);
	pthread_join(t, NULL);
	return 0;
}
