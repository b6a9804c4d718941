/*
 * expect: 0
 *
 * The same under a lock.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct block {
	long words[20];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block shared, fresh;

static void *writer(void *arg)
{
	pthread_mutex_lock(&lock);
	shared = fresh;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;
	struct block copy;

	for (int i = 0; i < 20; i++)
		fresh.words[i] = 1;
	pthread_create(&t, NULL, writer, NULL);
	pthread_mutex_lock(&lock);
	copy = shared;
	pthread_mutex_unlock(&lock);
	assert(copy.words[0] == copy.words[19]);
	pthread_join(t, NULL);
	return 0;
}
