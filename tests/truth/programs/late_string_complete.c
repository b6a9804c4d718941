/*
 * The same question to another algorithm, which reads strings as one step, too.
 *
 * expect: 4
 * match: not explored
 * options: --model=tso --algorithm=complete
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int x, y, seen[2];
static char digits[] = "17";

static void *first(void *arg)
{
	x = atoi(digits);
	seen[0] = atoi(digits) + y;
	return arg;
}

static void *second(void *arg)
{
	y = atoi(digits);
	seen[1] = atoi(digits) + x;
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(seen[0] > 17 || seen[1] > 17);
	return 0;
}
