/*
 * The order of two random numbers: each is a step of several accesses, which dpor does not reverse.
 *
 * expect: 4
 * match: has no steps of several accesses
 * options: --algorithm=dpor
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int numbers[2];

static void *draws(void *arg)
{
	numbers[arg != NULL] = rand();
	return arg;
}

int main(void)
{
	pthread_t a, b;
	int first;

	srand(1);
	first = rand();
	srand(1);
	pthread_create(&a, NULL, draws, NULL);
	pthread_create(&b, NULL, draws, &a);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(numbers[0] == first);
	return 0;
}
