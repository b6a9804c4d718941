/*
 * A waiter looks at a flag before it takes the lock; N threads do other things.
 * Bug: the signal comes before the wait.
 * expect: deadlock
 * found: --strategy=mix --runs=20000
 * flags: -DN=0
 * trial: -DN=0 |
 * trial: -DN=4 |
 */
#include "../bench.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static _Atomic int ready, work;

static void *waiter(void *arg)
{
	if (!ready) {
		pthread_mutex_lock(&lock);
		pthread_cond_wait(&cond, &lock);
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

static void *signaller(void *arg)
{
	ready = 1;
	pthread_cond_signal(&cond);
	return arg;
}

static void *other(void *arg)
{
	work++;
	return arg;
}

int main(void)
{
	for (int i = 0; i < N; i++)
		start(other, i);
	start(waiter, 0);
	start(signaller, 0);
	join_all();
	return 0;
}
