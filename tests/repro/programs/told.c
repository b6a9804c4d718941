/* Fails when another process sent SIGUSR1, whose handler ran in main, and then SIGTERM. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t reload;

static void on_reload(int number)
{
	(void)number;
	reload = 1;
}

static void *waiter(void *arg)
{
	int number = 0;

	sigwait(arg, &number);
	assert(number != SIGTERM || !reload);
	return NULL;
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_reload, .sa_flags = SA_RESTART};
	sigset_t both, last;
	pthread_t thread;

	sigaction(SIGUSR1, &action, NULL);
	sigemptyset(&last);
	sigaddset(&last, SIGTERM);
	both = last;
	sigaddset(&both, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &both, NULL);
	pthread_create(&thread, NULL, waiter, &last);
	pthread_sigmask(SIG_SETMASK, &last, NULL);
	pthread_join(thread, NULL);
	return 0;
}
