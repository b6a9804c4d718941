/*
 * Bug: a buffer is freed twice.
 * Cause: two threads store the same pointer as thread-specific data when both find the cache filled,
 * and the key's destructor frees it for each.
 * expect: double-free
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *spare;

static void *worker(void *arg)
{
	void *mine;

	pthread_mutex_lock(&lock);
	mine = spare;
	pthread_mutex_unlock(&lock);
	if (mine != NULL) {
		pthread_mutex_lock(&lock);
		spare = NULL;
		pthread_mutex_unlock(&lock);
	} else {
		mine = malloc(32);
	}
	pthread_setspecific(key, mine);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_key_create(&key, free);
	spare = malloc(32);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(spare);
	return 0;
}
