/*
 * Two workers take two locks in opposite order while a clock goes on ticking until they are done.
 * Bug: the workers wait for each other for ever, although the program as a whole never stands still.
 * Cause: no order between the locks.
 * expect: deadlock
 * found: --strategy=random --runs=1000 --max-steps=2000
 */
#include <unistd.h>

#include "../bench.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int done, ticks;
static int sum;

static void *forward(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	sum++;
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	done++;
	return arg;
}

static void *backward(void *arg)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	sum++;
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	done++;
	return arg;
}

static void *clock_hand(void *arg)
{
	while (done < 2) {
		ticks++;
		usleep(1000);
	}
	return arg;
}

int main(void)
{
	start(forward, 0);
	start(backward, 0);
	start(clock_hand, 0);
	join_all();
	return 0;
}
