/* Two threads lose an update: the program the golden tests look at. */
#include <assert.h>
#include <pthread.h>

static int balance;

static void *deposit(void *arg)
{
	int seen = balance;

	balance = seen + 1;
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, deposit, NULL);
	pthread_create(&b, NULL, deposit, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(balance == 2);
	return 0;
}
