/*
 * Two locks in opposite order.
 *
 * Expected: deadlock
 */
#include <pthread.h>

#include "nudge.h"

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int moved;

static void *there(void *arg)
{
	pthread_mutex_lock(&first);
	nudge_pass(0);
	nudge_wait(1);
	pthread_mutex_lock(&second);
	moved++;
	pthread_mutex_unlock(&second);
	pthread_mutex_unlock(&first);
	return arg;
}

static void *back(void *arg)
{
	pthread_mutex_lock(&second);
	nudge_pass(1);
	nudge_wait(0);
	pthread_mutex_lock(&first);
	moved--;
	pthread_mutex_unlock(&first);
	pthread_mutex_unlock(&second);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	nudge_init(2);
	pthread_create(&t[0], NULL, there, NULL);
	pthread_create(&t[1], NULL, back, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
