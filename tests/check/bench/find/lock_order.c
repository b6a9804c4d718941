/*
 * N threads take two locks, one of them in the other order.
 * Bug: deadlock.
 * expect: deadlock
 * found: --strategy=mix --runs=20000
 * flags: -DN=1
 * trial: -DN=1 |
 * trial: -DN=4 |
 * trial: -DN=16 |
 */
#include "../bench.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void both(pthread_mutex_t *x, pthread_mutex_t *y)
{
	pthread_mutex_lock(x);
	pthread_mutex_lock(y);
	n++;
	pthread_mutex_unlock(y);
	pthread_mutex_unlock(x);
}

static void *forth(void *arg)
{
	both(&a, &b);
	return arg;
}

static void *back(void *arg)
{
	both(&b, &a);
	return arg;
}

int main(void)
{
	for (int i = 0; i < N; i++)
		start(forth, i);
	start(back, 0);
	join_all();
	return 0;
}
