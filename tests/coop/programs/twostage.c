/*
 * Two values under two locks: each is protected, both together are not.
 *
 * Expected: assertion
 */
#include <assert.h>
#include <pthread.h>

#include "nudge.h"

static int d1, d2;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg)
{
	pthread_mutex_lock(&a);
	d1 = 7;
	pthread_mutex_unlock(&a);
	nudge_pass(0);
	nudge_wait(1);
	pthread_mutex_lock(&b);
	d2 = d1 + 1;
	pthread_mutex_unlock(&b);
	return arg;
}

static void *reader(void *arg)
{
	int x, y;

	nudge_wait(0);
	pthread_mutex_lock(&a);
	x = d1;
	pthread_mutex_unlock(&a);
	pthread_mutex_lock(&b);
	y = d2;
	pthread_mutex_unlock(&b);
	assert(x == 0 || y == x + 1);
	nudge_pass(1);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	nudge_init(2);
	pthread_create(&t[0], NULL, writer, NULL);
	pthread_create(&t[1], NULL, reader, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
