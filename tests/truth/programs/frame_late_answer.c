/*
 * The answer is sent after the last access to the variable of the caller, which lives until then; the
 * frames of later calls lie in the same place.
 *
 * expect: 0
 * options: --algorithm=learn
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t question, answer;
static int *result;
static int calls;

__attribute__((noinline)) static int ask(void)
{
	int value = 0;

	result = &value;
	sem_post(&question);
	sem_wait(&answer);
	return value;
}

static void *server(void *arg)
{
	for (int i = 0; i < 2; i++) {
		sem_wait(&question);
		calls++;
		*result = calls;
		sem_post(&answer);
	}
	return arg;
}

int main(void)
{
	pthread_t thread;

	sem_init(&question, 0, 0);
	sem_init(&answer, 0, 0);
	pthread_create(&thread, NULL, server, NULL);
	assert(ask() == 1);
	assert(ask() == 2);
	pthread_join(thread, NULL);
	return 0;
}
