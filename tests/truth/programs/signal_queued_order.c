/*
 * Two threads send the same real-time signal: in which order they arrive shows in what they sent.
 *
 * expect: 1
 * match: assertion failed
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sigset_t set;

static void *sends(void *arg)
{
	sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_ptr = arg});
	return NULL;
}

int main(void)
{
	siginfo_t info;
	pthread_t a, b;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&a, NULL, sends, (void *)1);
	pthread_create(&b, NULL, sends, (void *)2);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	sigwaitinfo(&set, &info);
	assert(info.si_value.sival_int == 1);
	sigwaitinfo(&set, &info);
	return 0;
}
