/*
 * Bug: two transfers in opposite directions block each other for ever.
 * Cause: each takes the lock of its source account first.
 * expect: deadlock
 */
#include <pthread.h>

struct account {
	pthread_mutex_t lock;
	int balance;
};

static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 100},
				     {PTHREAD_MUTEX_INITIALIZER, 100}};

static void transfer(struct account *from, struct account *to, int amount)
{
	pthread_mutex_lock(&from->lock);
	pthread_mutex_lock(&to->lock);
	from->balance -= amount;
	to->balance += amount;
	pthread_mutex_unlock(&to->lock);
	pthread_mutex_unlock(&from->lock);
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
	return 0;
}
