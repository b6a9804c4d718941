/*
 * Bug: the reader sees the message before it was written.
 * Cause: the semaphore starts with one token instead of none.
 * expect: assert
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t full;
static int message;

static void *writer(void *arg)
{
	message = 42;
	sem_post(&full);
	return arg;
}

static void *reader(void *arg)
{
	sem_wait(&full);
	assert(message == 42);
	return arg;
}

int main(void)
{
	pthread_t w, r;

	sem_init(&full, 0, 1);
	pthread_create(&w, NULL, writer, NULL);
	pthread_create(&r, NULL, reader, NULL);
	pthread_join(w, NULL);
	pthread_join(r, NULL);
	return 0;
}
