/*
 * Bug: both threads spin, each waiting for the other's flag.
 * Cause: after-you politeness: each gives way when it sees the other, and nobody goes on.
 * expect: livelock
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int here[2];

static void *walker(void *arg)
{
	int me = (int)(long)arg;

	atomic_store(&here[me], 1);
	while (atomic_load(&here[1 - me]) == 1)
		;
	atomic_store(&here[me], 0);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, walker, (void *)0L);
	pthread_create(&b, NULL, walker, (void *)1L);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
