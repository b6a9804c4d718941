/*
 * expect: 0
 * drawn
 * cc: -lm
 *
 * Exceptions of arithmetic, of either unit, are flags of one thread.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <fenv.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void turn(void)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

static volatile double nought, one_half;
static volatile long double long_nought, long_one = 1;

static void *one(void *arg)
{
	one_half = 1 / nought;
	turn();
	assert(fetestexcept(FE_DIVBYZERO));
	turn();
	return arg;
}

static void *other(void *arg)
{
	turn();
	assert(!fetestexcept(FE_DIVBYZERO));
	turn();
	assert(!fetestexcept(FE_DIVBYZERO));
	return arg;
}

static void *third(void *arg)
{
	long_one = long_one / long_nought;
	turn();
	assert(fetestexcept(FE_DIVBYZERO));
	return arg;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	pthread_create(&t[2], NULL, third, NULL);
	pthread_join(t[2], NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(!fetestexcept(FE_DIVBYZERO));
	return 0;
}
