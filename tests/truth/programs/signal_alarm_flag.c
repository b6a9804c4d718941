/*
 * A thread spins until the handler of an alarm sets a flag: it waits for a timer, in no livelock.
 * Where the handler interrupts is not explored.
 *
 * expect: 4
 * match: may interrupt a thread
 * drawn
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t rang;

static void ring(int number)
{
	rang = 1;
}

static void *thread(void *arg)
{
	while (!rang)
		continue;
	return arg;
}

int main(void)
{
	pthread_t t;

	signal(SIGALRM, ring);
	alarm(1);
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	return 0;
}
