/* Which memory matters to several threads. */
#include "unit.h"

#include "explore/live/cells.h"

static void private_and_constant_memory_is_left_out(void **state)
{
	struct cells c;
	struct learn l;

	cells_init(&c);
	learn_init(&l);
	cells_note(&c, 100, 4, 0, true, true); /* main, alone */
	cells_note(&c, 100, 4, 1, false, false);
	cells_note(&c, 200, 4, 1, true, false); /* one thread only */
	cells_note(&c, 300, 4, 1, true, false);
	cells_note(&c, 300, 4, 2, false, false);
	cells_layout(&c, &l);
	assert_int_equal(l.objects.count, 1);
	assert_int_equal(l.objects.items[0].address, 300);
	assert_false(cells_changed(&c));
	cells_note(&c, 200, 4, 2, false, false);
	assert_true(cells_changed(&c));
	learn_fini(&l);
	cells_fini(&c);
}

static void overlapping_accesses_are_one_object(void **state)
{
	struct cells c;
	struct learn l;
	uint32_t offset, bytes;

	cells_init(&c);
	learn_init(&l);
	cells_note(&c, 100, 8, 1, true, false);
	cells_note(&c, 104, 4, 2, false, false);
	cells_note(&c, 112, 4, 1, true, false);
	cells_note(&c, 112, 4, 2, true, false);
	cells_layout(&c, &l);
	assert_int_equal(l.objects.count, 2);
	assert_int_equal(cells_find(&c, &l, 104, 4, &offset, &bytes), 0);
	assert_int_equal(offset, 4);
	assert_int_equal(cells_find(&c, &l, 106, 8, &offset, &bytes), 0);
	assert_int_equal(offset, 6);
	assert_int_equal(bytes, 4); /* two of each; between them nothing is tracked */
	assert_int_equal(cells_find(&c, &l, 108, 4, &offset, &bytes), LEARN_NONE);
	learn_fini(&l);
	cells_fini(&c);
}

static void places_count_when_somebody_else_ends_them(void **state)
{
	struct cells c;
	struct learn l;
	uint32_t offset, bytes;

	cells_init(&c);
	learn_init(&l);
	cells_note_place(&c, 1000, 1);
	cells_note_place(&c, 1000, 2); /* a lock of two threads is no memory */
	cells_note_place(&c, 2000, 1);
	cells_note_block(&c, 2000, 16, 1, false); /* its own thread gives it back */
	cells_note_place(&c, 3000, 2);
	cells_note_block(&c, 2992, 16, 1, true); /* nobody else was there yet */
	cells_layout(&c, &l);
	assert_int_equal(l.objects.count, 0);
	cells_note_block(&c, 992, 64, 1, false);
	assert_true(cells_changed(&c));
	cells_note(&c, 3000, 4, 1, true, false);
	cells_note(&c, 3000, 4, 2, true, false);
	cells_note_block(&c, 2992, 16, 1, false);
	cells_note_place(&c, 2000, 2);
	learn_fini(&l);
	learn_init(&l);
	cells_layout(&c, &l);
	assert_int_equal(l.objects.count, 3);
	assert_int_equal(cells_find(&c, &l, 1000, 1, &offset, &bytes), 0);
	assert_int_equal(cells_find(&c, &l, 2000, 8, &offset, &bytes), 1);
	assert_int_equal(bytes, 1);
	assert_int_equal(cells_find(&c, &l, 3000, 8, &offset, &bytes), 2);
	assert_int_equal(bytes, 4); /* what is accessed there anyway */
	learn_fini(&l);
	cells_fini(&c);
}

static void giving_a_block_back_touches_what_is_in_it(void **state)
{
	struct cells c;
	struct learn l;

	cells_init(&c);
	learn_init(&l);
	cells_note(&c, 1000, 4, 1, true, false);
	cells_note(&c, 1008, 4, 1, false, false);
	cells_note_block(&c, 1000, 64, 2, false);
	cells_layout(&c, &l);
	assert_int_equal(l.objects.count, 2);
	learn_fini(&l);
	cells_fini(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(private_and_constant_memory_is_left_out),
		cmocka_unit_test(overlapping_accesses_are_one_object),
		cmocka_unit_test(places_count_when_somebody_else_ends_them),
		cmocka_unit_test(giving_a_block_back_touches_what_is_in_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
