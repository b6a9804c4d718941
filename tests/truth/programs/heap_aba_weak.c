/*
 * As heap_aba, with a weak compare and swap and a mark in the lowest bit of the address.
 *
 * expect: 4
 * match: expects the address of a freed block.*heap_aba_weak\.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static _Atomic(uintptr_t) top;
static uintptr_t first, taken;
static atomic_int begun;
static int early, swapped;

static void *swaps(void *arg)
{
	uintptr_t mine = (uintptr_t)malloc(sizeof(int)) | 1, expected = top;

	early = !begun;
	swapped = atomic_compare_exchange_weak(&top, &expected, mine);
	return arg;
}

static void *renews(void *arg)
{
	begun = 1;
	taken = atomic_exchange(&top, 0);
	free((void *)(taken & ~(uintptr_t)1));
	top = (uintptr_t)malloc(sizeof(int)) | 1;
	return arg;
}

int main(void)
{
	pthread_t a, b;

	top = first = (uintptr_t)malloc(sizeof(int)) | 1;
	pthread_create(&a, NULL, swaps, NULL);
	pthread_create(&b, NULL, renews, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(!(swapped && early && taken == first));
	return 0;
}
