/*
 * A hundred threads: one updates two variables in two critical sections, the others check that the
 * second follows the first.
 * Bug: a checker comes between the two stages.
 * Cause: the pair is not updated under one lock.
 * expect: assert
 * found: --strategy=random --runs=20000
 * Needed: random switching: 18 runs.
 */
#include "../bench.h"

#ifndef CHECKERS
#define CHECKERS 99
#endif

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int data1, data2;

static void *updater(void *arg)
{
	pthread_mutex_lock(&first);
	data1 = 1;
	pthread_mutex_unlock(&first);
	pthread_mutex_lock(&second);
	data2 = data1 + 1;
	pthread_mutex_unlock(&second);
	return arg;
}

static void *checker(void *arg)
{
	int one, two;

	pthread_mutex_lock(&first);
	one = data1;
	pthread_mutex_unlock(&first);
	if (one == 0)
		return arg;
	pthread_mutex_lock(&second);
	two = data2;
	pthread_mutex_unlock(&second);
	assert(two == one + 1);
	return arg;
}

int main(void)
{
	start(updater, 0);
	for (int i = 0; i < CHECKERS; i++)
		start(checker, i);
	join_all();
	return 0;
}
