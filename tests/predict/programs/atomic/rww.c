/*
 * A deposit reads the balance in one section and writes it in another; a correction is lost.
 *
 * expect RWW
 */
#include <heddle/heddle.h>

#include "../program.h"

static struct object balance = OBJECT_INIT;

static void *deposit(void *arg)
{
	heddle_atomic_begin("deposit");
	set(&balance, get(&balance) + 50);
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
