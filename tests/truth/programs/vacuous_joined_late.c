/*
 * Main comes to its end only where the assumption fails, and fails there itself.
 *
 * expect: 1
 * match: assertion failed.*in main
 */
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *gives_up(void *arg)
{
	x = 1;
	heddle_assume(x == 0);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, gives_up, NULL);
	assert(x == 0);
	return 0;
}
