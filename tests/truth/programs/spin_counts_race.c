/*
 * A loop that counts goes on to the limit on steps; what the others do is learned before.
 *
 * expect: 1
 * match: data race
 * options: --races=error
 */
#include <pthread.h>
#include <stddef.h>

static int go = 1, rounds;

static void *count(void *arg)
{
	while (go)
		rounds++;
	return NULL;
}

static void *stop(void *arg)
{
	go = 0;
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, count, NULL);
	pthread_create(&t[1], NULL, stop, NULL);
	return 0;
}
