/*
 * Bug: division by zero.
 * Cause: the divisor is reset between the test and the division.
 * expect: signal
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int samples;
static volatile int mean;

static void *reporter(void *arg)
{
	if (atomic_load(&samples) != 0)
		mean = 1000 / atomic_load(&samples);
	return arg;
}

static void *resetter(void *arg)
{
	atomic_store(&samples, 0);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	atomic_store(&samples, 10);
	pthread_create(&a, NULL, reporter, NULL);
	pthread_create(&b, NULL, resetter, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
