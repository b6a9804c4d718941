/* Whoever waits in a loop for a word that another thread writes goes on behind it, when it joins.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int ready;
static int number, twice;

static void *work(void *arg)
{
	twice = 2 * number;
	atomic_store(&ready, 1);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	number = argc > 1 ? atoi(argv[1]) : 1;
	pthread_create(&t, NULL, work, NULL);
	while (!atomic_load(&ready))
		continue;
	printf("%d\n", twice);
	pthread_join(t, NULL);
	return 0;
}
