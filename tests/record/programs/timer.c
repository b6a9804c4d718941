/* A timer's handler that ends the process: the kernel sent the signal, and nothing failed. */
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
static volatile int shared;
static void on_tick(int n)
{
	(void)n;
	_exit(shared >= 0 ? 3 : 4);
}
int main(void)
{
	struct sigaction tick;
	struct itimerval once = {{0, 0}, {0, 1000}};
	memset(&tick, 0, sizeof(tick));
	tick.sa_handler = on_tick;
	sigaction(SIGALRM, &tick, NULL);
	setitimer(ITIMER_REAL, &once, NULL);
	for (;;)
		if (shared < 0)
			return 5;
}
