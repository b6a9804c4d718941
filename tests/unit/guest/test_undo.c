/* The undo log brings memory back whatever was written over it, and how often. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "guest/check/mem/layout.h"
#include "guest/check/mem/undo.h"

#define BYTES 4096

static unsigned char memory[BYTES];

static int start(void **state)
{
	/* Well above every frame of the tests. */
	return undo_start((uint64_t)__builtin_frame_address(0) + 65536);
}

static void rollback_restores_overlapping_writes(void **state)
{
	unsigned char before[BYTES];

	srand(11);
	for (size_t i = 0; i < BYTES; i++)
		memory[i] = (unsigned char)rand();
	memcpy(before, memory, BYTES);
	for (int step = 0; step < 5000; step++) {
		size_t n = (size_t)rand() % 40, at = (size_t)rand() % (BYTES - n);

		undo_touch(memory + at, n);
		memset(memory + at, rand(), n);
	}
	undo_rollback();
	assert_memory_equal(memory, before, BYTES);
}

static void nothing_is_left_after_a_rollback(void **state)
{
	memory[0] = 1;
	undo_touch(memory, 1);
	memory[0] = 2;
	undo_rollback();
	memory[0] = 3;
	undo_rollback();
	assert_int_equal(memory[0], 3);
}

static void dead_memory_is_not_recorded(void **state)
{
	/* In this frame, which lies below the snapshot's; sanitizers may keep variables elsewhere. */
	unsigned char *local = __builtin_alloca(1);

	*local = 1;
	undo_touch(local, 1);
	*local = 2;
	undo_rollback();
	assert_int_equal(*local, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rollback_restores_overlapping_writes),
		cmocka_unit_test(nothing_is_left_after_a_rollback),
		cmocka_unit_test(dead_memory_is_not_recorded),
	};

	return cmocka_run_group_tests(tests, start, NULL);
}
