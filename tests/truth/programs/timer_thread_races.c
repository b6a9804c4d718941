/*
 * The function of a timer may run at any moment after the timer was set.
 *
 * expect: 1
 * match: assertion failed
 * drawn
 */
#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int a, b;

static void fire(union sigval value)
{
	assert(!(atomic_load(&a) && !atomic_load(&b)));
}

int main(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = fire};
	struct itimerspec when = {.it_value = {0, 1000000}};
	timer_t timer;

	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &when, NULL);
	atomic_store(&a, 1);
	atomic_store(&b, 1);
	return 0;
}
