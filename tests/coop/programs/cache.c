/*
 * A cache whose cleaner removes an entry between the check that it is there and its use.
 *
 * Expected: signal
 */
#include <pthread.h>
#include <stdlib.h>

#include "nudge.h"

struct entry {
	int value, hits;
};
static struct entry *cached;
static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *user(void *arg)
{
	int there;

	pthread_mutex_lock(&lock);
	there = cached != NULL;
	pthread_mutex_unlock(&lock);
	nudge_pass(0);
	nudge_wait(1);
	if (there) {
		pthread_mutex_lock(&lock);
		cached->hits++;
		sum += cached->value;
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

static void *cleaner(void *arg)
{
	nudge_wait(0);
	pthread_mutex_lock(&lock);
	cached = NULL;
	pthread_mutex_unlock(&lock);
	nudge_pass(1);
	return arg;
}

int main(void)
{
	static struct entry one = {5, 0};
	pthread_t t[2];

	nudge_init(2);
	cached = &one;
	pthread_create(&t[0], NULL, user, NULL);
	pthread_create(&t[1], NULL, cleaner, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
