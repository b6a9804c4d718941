/* nondet: handled signals end sleeps and, unless they restart calls, waits for semaphores. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static sem_t never, ready;
static volatile int handled, ended;

static void handler(int number)
{
	(void)number;
	handled++;
}

static void install(int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
	EXPECT(sigaction(SIGUSR1, &action, NULL) == 0);
}

static void *sleeps(void *unused)
{
	struct timespec length = {1000, 0}, left = {0, 0};
	(void)unused;
	EXPECT(sleep(1000) > 0);
	EXPECT(nanosleep(&length, &left) == -1 && errno == EINTR && left.tv_sec > 0);
	EXPECT(clock_nanosleep(CLOCK_MONOTONIC, 0, &length, &left) == EINTR && left.tv_sec > 0);
	EXPECT(usleep(900000000) == -1 && errno == EINTR);
	ended = 1;
	return NULL;
}

static void *waits(void *unused)
{
	(void)unused;
	EXPECT(sem_wait(&never) == -1 && errno == EINTR);
	ended = 1;
	return NULL;
}

static void *restarts(void *unused)
{
	(void)unused;
	EXPECT(sem_wait(&ready) == 0);
	ended = 1;
	return NULL;
}

/* Signals until the thread has ended; how often does not matter. */
static void pester(void *(*start)(void *))
{
	pthread_t t;
	ended = 0;
	EXPECT(pthread_create(&t, NULL, start, NULL) == 0);
	while (!ended) {
		struct timespec pause = {0, 1000000};
		nanosleep(&pause, NULL);
		pthread_kill(t, SIGUSR1);
		if (start == restarts && handled > 5)
			sem_post(&ready);
	}
	pthread_join(t, NULL);
}

int main(void)
{
	EXPECT(sem_init(&never, 0, 0) == 0 && sem_init(&ready, 0, 0) == 0);
	install(SA_RESTART);
	pester(sleeps);
	handled = 0;
	pester(restarts);
	install(0);
	pester(waits);
	return 0;
}
