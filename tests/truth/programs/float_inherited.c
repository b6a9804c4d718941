/*
 * expect: 0
 * drawn
 * cc: -lm
 *
 * A thread begins with the rounding of who made it, and keeps its own.
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

static void *one(void *arg)
{
	assert(fegetround() == FE_UPWARD);
	fesetround(FE_DOWNWARD);
	turn();
	assert(fegetround() == FE_DOWNWARD);
	return arg;
}

static void *other(void *arg)
{
	turn();
	assert(fegetround() == FE_UPWARD);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	fesetround(FE_UPWARD);
	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(fegetround() == FE_UPWARD);
	return 0;
}
