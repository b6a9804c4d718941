/*
 * expect: 1
 * drawn
 *
 * Who comes first is visible in the result of lock xadd.
 */
#include <assert.h>
#include <pthread.h>

static long counter;

static long fetch_add(long *p, long n)
{
	__asm__ __volatile__("lock\n\txaddq %0, %1" : "+r"(n), "+m"(*p) : : "memory", "cc");
	return n;
}

static void *thread(void *arg)
{
	fetch_add(&counter, 1);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	assert(fetch_add(&counter, 1) == 0);
	pthread_join(t, NULL);
	return 0;
}
