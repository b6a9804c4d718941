/*
 * The numbers of keys tell who made one first.
 *
 * expect: 1
 * match: assertion failed
 */
#include <assert.h>
#include <pthread.h>

static pthread_key_t a, b;

static void *first(void *arg)
{
	pthread_key_create(&a, NULL);
	return arg;
}

static void *second(void *arg)
{
	pthread_key_create(&b, NULL);
	return arg;
}

int main(void)
{
	pthread_t s, t;

	pthread_create(&s, NULL, first, NULL);
	pthread_create(&t, NULL, second, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	assert(a < b);
	return 0;
}
