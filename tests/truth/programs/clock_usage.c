/*
 * How much time the process has used tells which of two threads asked first.
 *
 * expect: 4
 * match: getrusage
 */
#include <assert.h>
#include <pthread.h>
#include <sys/resource.h>

static struct timeval used[2];

static void *asks(void *arg)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	*(struct timeval *)arg = usage.ru_utime;
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, asks, &used[0]);
	pthread_create(&b, NULL, asks, &used[1]);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(used[0].tv_sec >= 0 && used[1].tv_sec >= 0);
	return 0;
}
