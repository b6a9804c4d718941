/*
 * The same two threads further down: what is begun by a thread that was begun after a join.
 *
 * expect: 1
 * match: value == 1
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag, value;

static void *writer(void *arg)
{
	flag = 1;
	value = 1;
	return NULL;
}

static void *reader(void *arg)
{
	assert(value == 1);
	return NULL;
}

static void *begins(void *arg)
{
	pthread_t r;

	pthread_create(&r, NULL, reader, NULL);
	pthread_join(r, NULL);
	return NULL;
}

int main(void)
{
	pthread_t w, r;
	int wait = 0;

	pthread_create(&w, NULL, writer, NULL);
	if (!flag)
		wait = pthread_join(w, NULL) == 0;
	pthread_create(&r, NULL, begins, NULL);
	pthread_join(r, NULL);
	if (!wait)
		pthread_join(w, NULL);
	return 0;
}
