/*
 * What follows a sigwait is ordered behind the sending, and nothing else.
 *
 * expect: 1
 * match: assertion failed
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static sigset_t set;
static atomic_int x;

static void *thread(void *arg)
{
	int number;

	sigwait(&set, &number);
	assert(atomic_load(&x) != 1);
	return NULL;
}

int main(void)
{
	pthread_t t;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&t, NULL, thread, NULL);
	pthread_kill(t, SIGUSR1);
	atomic_store(&x, 1);
	atomic_store(&x, 2);
	pthread_join(t, NULL);
	return 0;
}
