/*
 * Every execution is cut off by the limit on steps.
 * expect: 4
 * match: cut off by a limit|came to an end
 * options: --max-steps=3
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *arg)
{
	x++;
	x++;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	x++;
	pthread_join(t, NULL);
	return 0;
}
