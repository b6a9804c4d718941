/*
 * Bug: money appears or disappears.
 * Cause: transfers of random amounts lock each account, but not both over the whole transfer; the
 * auditor sees the amount on its way.
 * expect: assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int balances[2] = {100, 100};

static void change(int account, int amount)
{
	pthread_mutex_lock(&locks[account]);
	balances[account] += amount;
	pthread_mutex_unlock(&locks[account]);
}

static void *transfer(void *arg)
{
	int amount = rand() % 50 + 1;

	change(0, -amount);
	change(1, amount);
	return arg;
}

static void *audit(void *arg)
{
	pthread_mutex_lock(&locks[0]);
	pthread_mutex_lock(&locks[1]);
	assert(balances[0] + balances[1] == 200);
	pthread_mutex_unlock(&locks[1]);
	pthread_mutex_unlock(&locks[0]);
	return arg;
}

int main(void)
{
	pthread_t t, a;

	srand(1);
	pthread_create(&t, NULL, transfer, NULL);
	pthread_create(&a, NULL, audit, NULL);
	pthread_join(t, NULL);
	pthread_join(a, NULL);
	return 0;
}
