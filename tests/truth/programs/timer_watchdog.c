/*
 * An alarm that would end the process is a watchdog against real time, which does not pass.
 *
 * expect: 0
 * drawn
 */
#include <pthread.h>
#include <unistd.h>

static void *thread(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t t;

	alarm(60);
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	alarm(0);
	return 0;
}
