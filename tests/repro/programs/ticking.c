/* A clock's signal comes every millisecond; the thread behind it is not the program's. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sched.h>
#include <sys/time.h>

static volatile sig_atomic_t ticks;
static int low, high;

static void tick(int number)
{
	(void)number;
	ticks++;
}

static void *set(void *arg)
{
	for (int i = 1; i < 2000; i++) {
		low = i;
		sched_yield();
		high = i;
	}
	return arg;
}

static void *look(void *arg)
{
	for (int i = 0; i < 2000; i++) {
		int below = low;

		assert(high >= below);
	}
	return arg;
}

int main(void)
{
	struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
	struct itimerval every = {{0, 1000}, {0, 1000}};
	pthread_t a, b;

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	pthread_create(&a, NULL, set, NULL);
	pthread_create(&b, NULL, look, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
