/* nondet: the first act of a thread may be a call that waits for the world. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static sigset_t set;
static int ends[2];

static void *waits(void *unused)
{
	int number;
	(void)unused;
	sigwait(&set, &number);
	return NULL;
}

static void *reads(void *unused)
{
	char byte;
	(void)unused;
	EXPECT(read(ends[0], &byte, 1) == 1);
	return NULL;
}

static void once(void *(*start)(void *), int count)
{
	pthread_t t;
	EXPECT(pthread_create(&t, NULL, start, NULL) == 0);
	for (int i = 0; i < count; i++) {
		pthread_mutex_lock(&mu);
		pthread_mutex_unlock(&mu);
	}
	if (start == reads)
		EXPECT(write(ends[1], "x", 1) == 1);
	else
		pthread_kill(t, SIGUSR1);
	pthread_join(t, NULL);
}

/* With --stall=1 a thread that keeps its turn costs a second and a message. */
int main(void)
{
	EXPECT(pipe(ends) == 0);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	for (int i = 0; i < 300; i++)
		once(i % 2 ? waits : reads, i % 40);
	return 0;
}
