/* The controlled heap against a list of live blocks. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "guest/check/mem/heap.h"
#include "support_rt.h"

#define BLOCKS 64

static int start(void **state)
{
	return heap_start();
}

static void addresses_repeat_after_a_reset(void **state)
{
	char *first[8];

	for (int i = 0; i < 8; i++)
		first[i] = heap_alloc((size_t)i * 100, 16, 1);
	heap_free(first[3], 2);
	heap_reset();
	for (int i = 0; i < 8; i++)
		assert_ptr_equal(heap_alloc((size_t)i * 100, 16, 1), first[i]);
	heap_reset();
}

static void fresh_blocks_are_zero_whatever_was_there(void **state)
{
	char zero[4000] = { 0 };
	char *p = heap_alloc(sizeof(zero), 16, 1);

	memset(p, 0x5a, sizeof(zero));
	heap_reset();
	assert_memory_equal(heap_alloc(sizeof(zero), 16, 1), zero, sizeof(zero));
	heap_reset();
}

static void misuse_of_free_is_named(void **state)
{
	char *p = heap_alloc(40, 16, 1);

	assert_int_equal(FAILURE_OF(heap_free(p + 16, 2)), FAILURE_INVALID_FREE);
	assert_int_equal(FAILURE_OF(heap_free(p + 1, 2)), FAILURE_INVALID_FREE);
	assert_int_equal(FAILURE_OF(heap_free(p, 2)), FAILURE_NONE);
	assert_int_equal(FAILURE_OF(heap_free(p, 3)), FAILURE_DOUBLE_FREE);
	heap_reset();
}

static void accesses_outside_live_blocks_are_failures(void **state)
{
	char *p = heap_alloc(64, 16, 1);

	assert_int_equal(FAILURE_OF(heap_check(p, 64, 2, true)), FAILURE_NONE);
	assert_int_equal(FAILURE_OF(heap_check(p + 60, 8, 2, true)), FAILURE_HEAP_RANGE);
	assert_int_equal(FAILURE_OF(heap_check(p - 8, 1, 2, false)), FAILURE_HEAP_RANGE);
	heap_free(p, 2);
	assert_int_equal(FAILURE_OF(heap_check(p + 8, 1, 2, false)), FAILURE_USE_AFTER_FREE);
	heap_reset();
}

/* In a function of its own: what fails jumps back to here. */
static __attribute__((noinline)) int failure_of_check(const char *p, size_t bytes)
{
	return FAILURE_OF(heap_check(p, bytes, 2, false));
}

/* Every size, every start and length of an access: inside exactly when it is inside. */
static void bounds_are_those_that_were_asked_for(void **state)
{
	for (size_t size = 0; size < 70; size++) {
		char *p = heap_alloc(size, 16, 1);

		for (size_t at = 0; at < size + 4; at++)
			for (size_t bytes = 1; bytes < 20; bytes++)
				assert_int_equal(failure_of_check(p + at, bytes),
						 at + bytes <= size ? FAILURE_NONE
								    : FAILURE_HEAP_RANGE);
	}
	heap_reset();
}

static void a_range_over_two_blocks_is_outside(void **state)
{
	char *p = heap_alloc(1500, 16, 1), *q = heap_alloc(64, 16, 1);

	assert_true(q > p);
	assert_int_equal(FAILURE_OF(heap_check(p, (size_t)(q - p) + 8, 2, true)),
			 FAILURE_HEAP_RANGE);
	assert_int_equal(FAILURE_OF(heap_check(p + 1499, 1, 2, true)), FAILURE_NONE);
	assert_int_equal(FAILURE_OF(heap_check(p + 1500, 1, 2, true)), FAILURE_HEAP_RANGE);
	/* The size class has room for more. */
	assert_int_equal(FAILURE_OF(heap_check(p + 1520, 1, 2, true)), FAILURE_HEAP_RANGE);
	heap_reset();
}

static void the_block_around_an_address_is_found(void **state)
{
	char *p = heap_alloc(1000, 16, 7);
	bool freed = true;
	struct heap_block *b = heap_block_around((uint64_t)p + 900, &freed);

	assert_non_null(b);
	assert_false(freed);
	assert_int_equal(b->size, 1000);
	assert_int_equal(b->alloc_site, 7);
	assert_null(heap_block_around((uint64_t)p + 100000, &freed));
	heap_reset();
}

static bool apart(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
	return a + a_bytes <= b || b + b_bytes <= a;
}

/* Long enough that freed blocks leave the quarantine and are used again. */
static void live_blocks_never_overlap(void **state)
{
	char *at[BLOCKS] = { NULL };
	size_t bytes[BLOCKS];

	srand(3);
	for (int step = 0; step < 6000; step++) {
		int i = rand() % BLOCKS;
		size_t align = (size_t)16 << rand() % 5;

		if (at[i])
			heap_free(at[i], 2);
		bytes[i] = (size_t)rand() % 40000;
		at[i] = heap_alloc(bytes[i], align, 1);
		assert_non_null(at[i]);
		assert_int_equal((uint64_t)at[i] % align, 0);
		for (int j = 0; j < BLOCKS; j++)
			assert_true(j == i || !at[j] || apart(at[i], bytes[i], at[j], bytes[j]));
		for (size_t k = 0; k < bytes[i]; k += 997)
			assert_int_equal(at[i][k], 0);
		memset(at[i], 0xff, bytes[i]);
	}
	heap_reset();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_repeat_after_a_reset),
		cmocka_unit_test(fresh_blocks_are_zero_whatever_was_there),
		cmocka_unit_test(misuse_of_free_is_named),
		cmocka_unit_test(accesses_outside_live_blocks_are_failures),
		cmocka_unit_test(bounds_are_those_that_were_asked_for),
		cmocka_unit_test(a_range_over_two_blocks_is_outside),
		cmocka_unit_test(the_block_around_an_address_is_found),
		cmocka_unit_test(live_blocks_never_overlap),
	};

	return cmocka_run_group_tests(tests, start, NULL);
}
