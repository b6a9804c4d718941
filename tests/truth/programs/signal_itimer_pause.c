/*
 * An interval timer ends pause().
 *
 * expect: 4
 * match: may interrupt a thread
 * options: --time=2
 */
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t ticks;

static void tick(int number)
{
	ticks++;
}

int main(void)
{
	struct itimerval every = {{0, 1000}, {0, 1000}};

	signal(SIGALRM, tick);
	setitimer(ITIMER_REAL, &every, NULL);
	while (ticks < 3)
		pause();
	return 0;
}
