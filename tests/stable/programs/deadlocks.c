/* Deadlocks of every kind; the argument chooses one.  run.sh expects a report and exit status 1. */
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static sem_t sem;

static void again(void)
{
	pthread_once(&once, again);
}

static void *block(void *argument)
{
	const char *kind = argument;
	if (strcmp(kind, "cond") == 0) {
		pthread_mutex_lock(&mu);
		pthread_cond_wait(&cv, &mu);
	} else if (strcmp(kind, "sem") == 0) {
		sem_wait(&sem);
	} else if (strcmp(kind, "barrier") == 0) {
		pthread_barrier_wait(&barrier);
	} else if (strcmp(kind, "self") == 0) {
		pthread_mutex_lock(&mu);
		pthread_mutex_lock(&mu);
	} else if (strcmp(kind, "upgrade") == 0) {
		pthread_rwlock_rdlock(&rw);
		pthread_rwlock_wrlock(&rw);
	} else if (strcmp(kind, "ended") == 0) {
		pthread_mutex_lock(&mu); /* and ends with it; main waits */
	} else if (strcmp(kind, "once") == 0) {
		pthread_once(&once, again);
	} else if (strcmp(kind, "futex") == 0) {
		static int word;
		pthread_mutex_lock(&mu);
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;
	if (argc != 2)
		return 2;
	sem_init(&sem, 0, 0);
	pthread_barrier_init(&barrier, NULL, 2);
	EXPECT(pthread_create(&t, NULL, block, argv[1]) == 0);
	EXPECT(pthread_join(t, NULL) == 0);
	pthread_mutex_lock(&mu);
	return 0;
}
