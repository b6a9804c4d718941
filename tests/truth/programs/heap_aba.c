/*
 * A block is freed and a new one may lie where it lay: a compare and swap that expects the old one
 * succeeds.  The heap of a controlled run does not give out the same place again.
 *
 * expect: 4
 * match: expects the address of a freed block.*heap_aba\.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) top;
static int *first, *taken;
static atomic_int begun;
static int early, swapped;

static void *swaps(void *arg)
{
	int *mine = malloc(sizeof(*mine)), *expected = top;

	early = !begun;
	swapped = atomic_compare_exchange_strong(&top, &expected, mine);
	return arg;
}

static void *renews(void *arg)
{
	begun = 1;
	taken = atomic_exchange(&top, NULL);
	free(taken);
	top = malloc(sizeof(*taken));
	return arg;
}

int main(void)
{
	pthread_t a, b;

	top = first = malloc(sizeof(*first));
	pthread_create(&a, NULL, swaps, NULL);
	pthread_create(&b, NULL, renews, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(!(swapped && early && taken == first));
	return 0;
}
