/*
 * A timer runs its function in a thread of its own, which is explored like any other.
 *
 * expect: 0
 * drawn
 */
#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int flag;

static void fire(union sigval value)
{
	atomic_store(&flag, value.sival_int);
}

int main(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD,
				 .sigev_notify_function = fire,
				 .sigev_value.sival_int = 7};
	struct itimerspec when = {.it_value = {0, 1000000}};
	timer_t timer;

	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &when, NULL);
	while (!atomic_load(&flag))
		continue;
	assert(atomic_load(&flag) == 7);
	return 0;
}
