/* Timers: each kind expires, and only while it is set. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static volatile sig_atomic_t alarms, ticks;
static atomic_int calls;

static void on_alarm(int number)
{
	alarms++;
}

static void on_tick(int number, siginfo_t *info, void *context)
{
	CHECK(info->si_signo == number && info->si_value.sival_int == 5);
	ticks++;
}

static void call(union sigval value)
{
	CHECK(value.sival_int == 7);
	atomic_fetch_add(&calls, 1);
}

static void of_the_process(void)
{
	struct itimerval soon = {{0, 1000}, {0, 1000}}, none = {{0, 0}, {0, 0}}, left;

	CHECK(signal(SIGALRM, on_alarm) == SIG_DFL);
	CHECK(alarm(1000) == 0);
	CHECK(alarm(0) <= 1000); /* nothing when it has expired: time is a matter of the schedule */
	CHECK(setitimer(ITIMER_REAL, &soon, NULL) == 0);
	while (alarms == 0)
		pause();
	CHECK(setitimer(ITIMER_REAL, &none, &left) == 0 && left.it_interval.tv_sec == 0);
}

static void with_a_signal(void)
{
	struct sigaction action = {.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
				 .sigev_signo = SIGUSR1,
				 .sigev_value.sival_int = 5};
	struct itimerspec every = {{0, 1000000}, {0, 1000000}};
	timer_t timer;

	CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
	CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
	CHECK(timer_settime(timer, 0, &every, NULL) == 0);
	while (ticks < 2)
		pause();
	CHECK(timer_delete(timer) == 0);
}

static void with_a_thread(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD,
				 .sigev_notify_function = call,
				 .sigev_value.sival_int = 7};
	struct itimerspec once = {.it_value = {0, 1000}}, left;
	timer_t timer;

	CHECK(timer_create(CLOCK_REALTIME, &event, &timer) == 0);
	CHECK(timer_gettime(timer, &left) == 0 && left.it_value.tv_sec == 0);
	CHECK(timer_settime(timer, 0, &once, NULL) == 0);
	while (atomic_load(&calls) == 0)
		usleep(100);
	CHECK(timer_getoverrun(timer) == 0);
	CHECK(timer_delete(timer) == 0);
}

int main(void)
{
	of_the_process();
	with_a_signal();
	with_a_thread();
	SUCCESS();
	return 0;
}
