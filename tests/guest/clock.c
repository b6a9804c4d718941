/* Clocks and sleeps: time goes forward, sleeps last at least as long as asked. */
#include <errno.h>
#include <pthread.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static double now(clockid_t clock)
{
	struct timespec t;

	CHECK(clock_gettime(clock, &t) == 0);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void *sleeper(void *arg)
{
	usleep(2000);
	return arg;
}

int main(void)
{
	struct timespec t = {0, 3000000}, bad = {0, 1000000000};
	struct timeval tv;
	pthread_t thread;
	double start = now(CLOCK_MONOTONIC), end;

	CHECK(nanosleep(&t, NULL) == 0);
	end = now(CLOCK_MONOTONIC);
	CHECK(end - start >= 0.003);
	CHECK(nanosleep(&bad, NULL) == -1 && errno == EINVAL);
	CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, &bad, NULL) == EINVAL);
	CHECK(clock_gettime((clockid_t)12345, &t) == -1 && errno == EINVAL);
	CHECK(clock_gettime(CLOCK_REALTIME, &t) == 0);
	t.tv_sec += 1;
	CHECK(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, NULL) == 0);
	CHECK(now(CLOCK_REALTIME) >= (double)t.tv_sec);
	CHECK(gettimeofday(&tv, NULL) == 0);
	CHECK(tv.tv_sec >= t.tv_sec && time(NULL) >= t.tv_sec);
	CHECK(timespec_get(&t, TIME_UTC) == TIME_UTC && t.tv_sec >= tv.tv_sec);
	CHECK(clock() != (clock_t)-1 && times(NULL) != (clock_t)-1);
	CHECK(sleep(0) == 0);
	CHECK(pthread_create(&thread, NULL, sleeper, NULL) == 0);
	/* A loop that only looks at the clock ends. */
	start = now(CLOCK_MONOTONIC);
	while (now(CLOCK_MONOTONIC) < start + 0.005)
		;
	CHECK(pthread_join(thread, NULL) == 0);
	SUCCESS();
	return 0;
}
