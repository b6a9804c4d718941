/* det: main returns while threads wait and run; an exit handler waits for one of them. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
static pthread_t helper;
static int stop;

static void *forever(void *unused)
{
	(void)unused;
	for (;;) {
		pthread_mutex_lock(&mu);
		pthread_mutex_unlock(&mu);
	}
	return NULL;
}

static void *help(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&mu);
	while (!stop)
		pthread_cond_wait(&cv, &mu);
	pthread_mutex_unlock(&mu);
	return NULL;
}

static void at_exit(void)
{
	pthread_mutex_lock(&mu);
	stop = 1;
	pthread_cond_signal(&cv);
	pthread_mutex_unlock(&mu);
	pthread_join(helper, NULL);
	puts("joined");
}

int main(void)
{
	pthread_t t;
	atexit(at_exit);
	pthread_create(&t, NULL, forever, NULL);
	pthread_create(&helper, NULL, help, NULL);
	pthread_mutex_lock(&mu);
	pthread_mutex_unlock(&mu);
	return 0;
}
