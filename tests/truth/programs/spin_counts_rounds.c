/*
 * How often a thread went round matters when somebody looks at the number later: it is not idle.
 *
 * expect: 1
 * match: spin_counts_rounds.c:37
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int held = 1;

static void *opener(void *arg)
{
	atomic_store(&held, 0);
	return NULL;
}

static int wait_for(void)
{
	int rounds = 0;

	while (atomic_exchange(&held, 1))
		if (++rounds == 3)
			break;
	return rounds;
}

int main(void)
{
	pthread_t thread;
	int rounds;

	pthread_create(&thread, NULL, opener, NULL);
	rounds = wait_for();
	pthread_join(thread, NULL);
	assert(rounds < 2);
	return 0;
}
