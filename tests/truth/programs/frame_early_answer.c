/*
 * The answer is sent before the last access to the caller's variable: the function may have returned
 * by then.  Only an order that nobody tries first shows it.
 *
 * expect: 1
 * match: stack frame that has returned
 * options: --algorithm=learn
 */
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
	sem_wait(&question);
	calls++;
	sem_post(&answer);
	*result = 1;
	return arg;
}

int main(void)
{
	pthread_t thread;

	sem_init(&question, 0, 0);
	sem_init(&answer, 0, 0);
	pthread_create(&thread, NULL, server, NULL);
	ask();
	pthread_join(thread, NULL);
	return 0;
}
