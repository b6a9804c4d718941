/* The greatest of what threads bring, by compare and swap.  hunt: safe */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int best;

static void *bring(void *arg)
{
	int mine = (int)(long)arg, seen = best;

	for (int i = 0; i < 3 && mine > seen; i++)
		if (atomic_compare_exchange_strong(&best, &seen, mine))
			break;
	assert(best >= mine);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, bring, (void *)1);
	pthread_create(&b, NULL, bring, (void *)2);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(best == 2);
	return 0;
}
