/* Maps from the addresses of objects that come and go. */
#include "ir/ptrmap.h"
#include "unit.h"

#define KEYS 1000

static char objects[KEYS];

static void removed_keys_are_absent_and_others_stay(void **state)
{
	struct ptrmap m = PTRMAP_INIT;
	uintptr_t value = 0;

	(void)state;
	ptrmap_remove(&m, &objects[0]); /* of an empty map */
	for (int i = 0; i < KEYS; i++)
		ptrmap_set(&m, &objects[i], (uintptr_t)i);
	for (int i = 0; i < KEYS; i += 2)
		ptrmap_remove(&m, &objects[i]);
	for (int i = 0; i < KEYS; i++) {
		assert_int_equal(ptrmap_get(&m, &objects[i], &value), i % 2);
		if (i % 2)
			assert_int_equal(value, i);
	}
	ptrmap_free(&m);
}

static void another_object_at_the_address_is_new(void **state)
{
	struct ptrmap m = PTRMAP_INIT;
	uintptr_t value = 0;

	(void)state;
	for (int round = 1; round < KEYS; round++) {
		assert_true(ptrmap_add(&m, &objects[round % 7]));
		assert_false(ptrmap_add(&m, &objects[round % 7]));
		ptrmap_set(&m, &objects[round % 7], (uintptr_t)round);
		assert_true(ptrmap_get(&m, &objects[round % 7], &value));
		assert_int_equal(value, round);
		ptrmap_remove(&m, &objects[round % 7]);
		assert_false(ptrmap_has(&m, &objects[round % 7]));
	}
	ptrmap_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(removed_keys_are_absent_and_others_stay),
		cmocka_unit_test(another_object_at_the_address_is_new),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
