/*
 * The writer's two steps are sections of one lock; between the steps another thread clears both.
 *
 * Expected: by name
 */
#include <assert.h>
#include <pthread.h>

#include "nudge.h"

#define ROUNDS 40

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int buffer[ROUNDS], pos, written;

static void *writer(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&lock);
		pos++;
		buffer[i] = 1;
		pthread_mutex_unlock(&lock);
		if (i % 8 == 3) {
			nudge_pass(0);
			nudge_wait(1);
		}
		pthread_mutex_lock(&lock);
		written++;
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

static void *resetter(void *arg)
{
	for (int i = 0; i < ROUNDS / 8; i++) {
		nudge_wait(0);
		pthread_mutex_lock(&lock);
		pos = 0;
		written = 0;
		pthread_mutex_unlock(&lock);
		nudge_pass(1);
	}
	return arg;
}

int main(void)
{
	pthread_t t[2];

	nudge_init(2);
	pthread_create(&t[0], NULL, writer, NULL);
	pthread_create(&t[1], NULL, resetter, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(pos == written);
	return 0;
}
