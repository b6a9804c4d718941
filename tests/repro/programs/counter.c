/*
 * Two threads count without a lock.
 * Failure: updates are lost.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

#define EACH 100

static int count;

static void *work(void *arg)
{
	for (int i = 0; i < EACH; i++) {
		int before = count;

		if (i % 8 == 0)
			sched_yield();
		count = before + 1;
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;
	int end;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	end = count;
	assert(end == 2 * EACH);
	return 0;
}
