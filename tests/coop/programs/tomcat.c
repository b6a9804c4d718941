/*
 * A class loader's map: get, and put when it is not there, in two critical sections; the class is
 * made twice.
 *
 * Expected: assertion
 */
#include <assert.h>
#include <pthread.h>

#include "nudge.h"

static int entry, made;
static pthread_mutex_t map = PTHREAD_MUTEX_INITIALIZER;

static int get(void)
{
	int found;

	pthread_mutex_lock(&map);
	found = entry;
	pthread_mutex_unlock(&map);
	return found;
}

static void put(int value)
{
	pthread_mutex_lock(&map);
	entry = value;
	made++;
	pthread_mutex_unlock(&map);
}

static void *load(void *arg)
{
	int number = (int)(long)arg;

	if (number == 2)
		nudge_wait(0);
	if (!get()) {
		if (number == 1) {
			nudge_pass(0);
			nudge_wait(1);
		}
		put(number);
	}
	if (number == 2)
		nudge_pass(1);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	nudge_init(2);
	pthread_create(&t[0], NULL, load, (void *)1);
	pthread_create(&t[1], NULL, load, (void *)2);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(made == 1);
	return 0;
}
