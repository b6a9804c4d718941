/*
 * A timer that was set to nothing is not armed and never expires.
 *
 * expect: 0
 * drawn
 */
#include <assert.h>
#include <signal.h>
#include <time.h>

static void fire(union sigval value)
{
	assert(!"expired");
}

int main(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = fire};
	struct itimerspec none = {{0, 0}, {0, 0}}, left;
	timer_t timer;

	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &none, NULL);
	timer_gettime(timer, &left);
	assert(left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0);
	timer_delete(timer);
	return 0;
}
