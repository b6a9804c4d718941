/*
 * Virtual time: a sleep takes at least its length, and the clocks never go back.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long long now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void *sleeper(void *arg)
{
	long long before = now(CLOCK_MONOTONIC), real = now(CLOCK_REALTIME);
	struct timespec pause = {2, 5};
	struct timeval day;

	nanosleep(&pause, NULL);
	assert(now(CLOCK_MONOTONIC) - before >= 2000000005LL);
	assert(now(CLOCK_REALTIME) - real >= 2000000005LL);
	gettimeofday(&day, NULL);
	assert(day.tv_sec * 1000000000LL >= real);
	usleep(10);
	return arg;
}

int main(void)
{
	pthread_t a, b;
	time_t start = time(NULL);

	pthread_create(&a, NULL, sleeper, NULL);
	pthread_create(&b, NULL, sleeper, NULL);
	sleep(1);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(time(NULL) >= start + 2);
	return 0;
}
