/*
 * The assumption holds only after the last of the other thread's stores: one behaviour keeps to it.
 *
 * expect: 0
 * match: all 1 behaviour
 */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *first(void *arg)
{
	heddle_assume(x == 3);
	return arg;
}

static void *second(void *arg)
{
	for (int i = 1; i <= 3; i++)
		x = i;
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, first, NULL);
	pthread_create(&t[1], NULL, second, NULL);
	return 0;
}
