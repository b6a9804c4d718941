/*
 * A download queue: "is there one more" and "take it" are two steps; two spiders take the last one.
 *
 * Expected: assertion
 */
#include <assert.h>
#include <pthread.h>

#include "nudge.h"

static int queued = 5, loaded;
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;

static int any(void)
{
	int n;

	pthread_mutex_lock(&queue);
	n = queued;
	pthread_mutex_unlock(&queue);
	return n;
}

static void *spider(void *arg)
{
	int number = (int)(long)arg, left;

	while ((left = any()) > 0) {
		if (left == 1 && number == 1) {
			nudge_pass(0);
			nudge_wait(1);
		}
		pthread_mutex_lock(&queue);
		queued--;
		loaded++;
		assert(queued >= 0);
		pthread_mutex_unlock(&queue);
	}
	return NULL;
}

static void *second(void *arg)
{
	nudge_wait(0);
	spider(arg);
	nudge_pass(1);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	nudge_init(2);
	pthread_create(&t[0], NULL, spider, (void *)1);
	pthread_create(&t[1], NULL, second, (void *)2);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
