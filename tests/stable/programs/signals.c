/* nondet: signals to threads that wait, lock and read: each is handled, nothing is lost. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define QUEUED 200

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
static sem_t ready;
static volatile sig_atomic_t handled, stop;
static int tube[2];

static void handler(int number)
{
	(void)number;
	__atomic_add_fetch(&handled, 1, __ATOMIC_SEQ_CST);
}

static void *in_read(void *unused)
{
	char c;
	(void)unused;
	sem_post(&ready);
	EXPECT(read(tube[0], &c, 1) == -1 && errno == EINTR);
	return NULL;
}

static void *in_cond(void *unused)
{
	(void)unused;
	sem_post(&ready);
	pthread_mutex_lock(&mu);
	while (!stop)
		pthread_cond_wait(&cv, &mu);
	pthread_mutex_unlock(&mu);
	return NULL;
}

static void *in_locks(void *unused)
{
	(void)unused;
	sem_post(&ready);
	while (!stop) {
		pthread_mutex_lock(&mu);
		pthread_mutex_unlock(&mu);
	}
	return NULL;
}

static void *in_sigwait(void *set)
{
	int number, got = 0;
	while (got < QUEUED) {
		EXPECT(sigwait(set, &number) == 0 && number == SIGRTMIN);
		got++;
	}
	return NULL;
}

/* One that must be interrupted: signalled until it is. */
static void interrupt(void *(*start)(void *))
{
	pthread_t t;
	int before = handled;
	EXPECT(pthread_create(&t, NULL, start, NULL) == 0);
	sem_wait(&ready);
	while (pthread_tryjoin_np(t, NULL) == EBUSY) {
		pthread_kill(t, SIGUSR1);
		usleep(1000);
	}
	EXPECT(handled > before);
}

/* One that must go on after each. */
static void disturb(void *(*start)(void *))
{
	pthread_t t;
	int before = handled;
	stop = 0;
	EXPECT(pthread_create(&t, NULL, start, NULL) == 0);
	sem_wait(&ready);
	for (int i = 0; i < 20; i++) {
		EXPECT(pthread_kill(t, SIGUSR1) == 0);
		while (handled < before + i + 1)
			usleep(100);
	}
	pthread_mutex_lock(&mu);
	stop = 1;
	pthread_cond_broadcast(&cv);
	pthread_mutex_unlock(&mu);
	EXPECT(pthread_join(t, NULL) == 0);
}

static void queue_signals(void)
{
	pthread_t t;
	sigset_t set;
	union sigval value = {.sival_int = 0};
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	EXPECT(pthread_create(&t, NULL, in_sigwait, &set) == 0);
	for (int i = 0; i < QUEUED; i++)
		EXPECT(sigqueue(getpid(), SIGRTMIN, value) == 0);
	EXPECT(pthread_join(t, NULL) == 0);
}

int main(void)
{
	struct sigaction action;
	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	EXPECT(sigaction(SIGUSR1, &action, NULL) == 0);
	EXPECT(pipe(tube) == 0);
	sem_init(&ready, 0, 0);
	interrupt(in_read);
	disturb(in_cond);
	disturb(in_locks);
	queue_signals();
	return 0;
}
