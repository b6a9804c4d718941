/*
 * N clerks sell the seats of a flight, main engages clerks until one says that sales are over.
 * Bug: more seats are sold than there are.
 * Cause: looking at the count and raising it are two steps.  LOCKED: they are one.
 * expect: assert
 * found: --strategy=random --runs=1000
 */
#include "../bench.h"

#ifndef N
#define N 5
#endif
#define CAPACITY (N - (N / 10 > 1 ? N / 10 : 1))

static int sold, stop_sales;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

static void enter(void)
{
#ifdef LOCKED
	pthread_mutex_lock(&l);
#endif
}

static void leave(void)
{
#ifdef LOCKED
	pthread_mutex_unlock(&l);
#endif
}

static void *clerk(void *arg)
{
	(void)l;
	enter();
	if (sold >= CAPACITY)
		stop_sales = 1;
	else
		sold++;
	leave();
	return arg;
}

int main(void)
{
	for (int i = 0; i < N && !stop_sales; i++)
		start(clerk, i);
	join_all();
	/* N clerks for N - 1 seats: one of them must have noticed, or seats were sold twice. */
	assert(sold == CAPACITY && stop_sales);
	return 0;
}
