/*
 * rww with one section around the deposit.
 *
 * expect none
 */
#include <heddle/heddle.h>

#include "../program.h"

static struct object balance = OBJECT_INIT;

static void *deposit(void *arg)
{
	heddle_atomic_begin("deposit");
	pthread_mutex_lock(&balance.lock);
	balance.data = balance.data + 50;
	pthread_mutex_unlock(&balance.lock);
	heddle_atomic_end();
	return arg;
}

static void *correct(void *arg)
{
	set(&balance, 1000);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, deposit, NULL);
	pthread_create(&t[1], NULL, correct, NULL);
	join_all(t, 2);
	return 0;
}
