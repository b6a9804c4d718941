/*
 * Bug: a deposit is lost.
 * Cause: the balance is read and written under the lock, but in two critical sections.
 * expect: assert
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int balance_get(void)
{
	pthread_mutex_lock(&lock);
	int b = balance;
	pthread_mutex_unlock(&lock);
	return b;
}

static void balance_set(int b)
{
	pthread_mutex_lock(&lock);
	balance = b;
	pthread_mutex_unlock(&lock);
}

static void *deposit(void *arg)
{
	balance_set(balance_get() + 50);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, deposit, NULL);
	pthread_create(&b, NULL, deposit, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(balance_get() == 200);
	return 0;
}
