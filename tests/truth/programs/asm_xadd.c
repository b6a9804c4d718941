/*
 * expect: 0
 *
 * Two threads count with lock xadd: each gets a number of its own, in every behaviour.
 */
#include <assert.h>
#include <pthread.h>

static int counter, got[2];

static int fetch_add(int *p, int n)
{
	__asm__ __volatile__("lock; xaddl %0, %1" : "+r"(n), "+m"(*p) : : "memory", "cc");
	return n;
}

static void *thread(void *arg)
{
	int *mine = arg;

	*mine = fetch_add(&counter, 3);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, &got[0]);
	thread(&got[1]);
	pthread_join(t, NULL);
	assert(counter == 6 && got[0] + got[1] == 3);
	return 0;
}
