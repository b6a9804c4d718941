/*
 * A thread takes signals with sigwait, as programs do that handle them in one place: exact.
 *
 * expect: 0
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static sigset_t set;
static atomic_int x;

static void *thread(void *arg)
{
	int number;

	sigwait(&set, &number);
	assert(number == SIGUSR1 && atomic_load(&x) >= 1);
	sigwait(&set, &number);
	assert(number == SIGTERM && atomic_load(&x) == 2);
	return NULL;
}

int main(void)
{
	pthread_t t;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&t, NULL, thread, NULL);
	atomic_store(&x, 1);
	pthread_kill(t, SIGUSR1);
	atomic_store(&x, 2);
	kill(getpid(), SIGTERM);
	pthread_join(t, NULL);
	return 0;
}
