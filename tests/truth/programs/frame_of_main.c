/*
 * A thread that nobody waits for looks at a variable of main: it finds what main has put there.
 *
 * expect: 1
 * match: assertion failed.*in reader
 * match: "\*number != 7"
 * drawn
 */
#include <assert.h>
#include <pthread.h>

static void *reader(void *arg)
{
	const volatile int *number = arg;

	assert(*number != 7);
	return NULL;
}

static void *idler(void *arg)
{
	return arg;
}

int main(void)
{
	volatile int numbers[2] = {0, 7};
	pthread_t t;

	pthread_create(&t, NULL, idler, NULL);
	pthread_create(&t, NULL, reader, (void *)&numbers[1]);
	return 0;
}
