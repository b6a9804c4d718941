/*
 * A thread that a constructor starts is not under control; main waits for it in a loop, which is no
 * livelock.
 *
 * expect: 4
 * match: threads started before main are not under control
 * drawn
 */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int flag;

static void *thread(void *arg)
{
	usleep(1000);
	atomic_store(&flag, 1);
	return arg;
}

__attribute__((constructor)) static void begin(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
}

int main(void)
{
	while (!atomic_load(&flag))
		continue;
	return 0;
}
