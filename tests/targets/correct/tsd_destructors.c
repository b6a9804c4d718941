/*
 * Thread-specific data: each thread has its own, the destructor runs once per thread at its end.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_key_t key;
static atomic_int freed;

static void release(void *value)
{
	atomic_fetch_add(&freed, *(int *)value);
	free(value);
}

static void *worker(void *arg)
{
	int *mine = malloc(sizeof(*mine));

	*mine = (int)(long)arg;
	assert(pthread_getspecific(key) == NULL);
	pthread_setspecific(key, mine);
	assert(*(int *)pthread_getspecific(key) == (int)(long)arg);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_key_create(&key, release);
	pthread_create(&a, NULL, worker, (void *)1L);
	pthread_create(&b, NULL, worker, (void *)2L);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(atomic_load(&freed) == 3);
	assert(pthread_getspecific(key) == NULL);
	pthread_key_delete(key);
	return 0;
}
