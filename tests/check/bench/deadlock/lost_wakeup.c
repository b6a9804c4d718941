/*
 * A waiter tests a flag outside of the lock and then waits.
 * Bug: it waits for ever.
 * Cause: the signal comes between its test and its wait.
 * expect: deadlock
 * found: --strategy=random --runs=1000
 */
#include "../bench.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t set = PTHREAD_COND_INITIALIZER;
static _Atomic int flag;

static void *waiter(void *arg)
{
	if (!flag) {
		pthread_mutex_lock(&lock);
		pthread_cond_wait(&set, &lock);
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

static void *setter(void *arg)
{
	flag = 1;
	pthread_mutex_lock(&lock);
	pthread_cond_signal(&set);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	start(waiter, 0);
	start(setter, 0);
	join_all();
	return 0;
}
