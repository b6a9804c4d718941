/* det: main ends with pthread_exit; the process ends with its last thread, status 0. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
	(void)unused;
	usleep(1000);
	pthread_mutex_lock(&mu);
	puts("last");
	pthread_mutex_unlock(&mu);
	return NULL;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	pthread_detach(t);
	pthread_exit(NULL);
}
