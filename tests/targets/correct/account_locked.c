/*
 * Transfers that lock both accounts in the order of their addresses: money is neither made nor lost.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>

struct account {
	pthread_mutex_t lock;
	int balance;
};

static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 100},
				     {PTHREAD_MUTEX_INITIALIZER, 100}};

static void transfer(struct account *from, struct account *to, int amount)
{
	struct account *first = from < to ? from : to, *second = from < to ? to : from;

	pthread_mutex_lock(&first->lock);
	pthread_mutex_lock(&second->lock);
	from->balance -= amount;
	to->balance += amount;
	pthread_mutex_unlock(&second->lock);
	pthread_mutex_unlock(&first->lock);
}

static void *forth(void *arg)
{
	transfer(&accounts[0], &accounts[1], 10);
	return arg;
}

static void *back(void *arg)
{
	transfer(&accounts[1], &accounts[0], 20);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, forth, NULL);
	pthread_create(&b, NULL, back, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(accounts[0].balance == 110 && accounts[1].balance == 90);
	return 0;
}
