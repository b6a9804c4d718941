/* Two threads change one number at two places, each by a load and a store. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int balance = 100;

static void *deposit(void *arg)
{
	balance = balance + 50;
	return arg;
}

static void *withdraw(void *arg)
{
	if (balance >= 30)
		balance -= 30;
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, deposit, NULL);
	pthread_create(&b, NULL, withdraw, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(balance == 120);
	return 0;
}
