/* The table of numbers against a list that is searched from the front. */
#include "unit.h"

#include "base/lookup.h"
#include "base/vec.h"

struct items {
	VEC_FIELDS(uint64_t);
};

static bool is_same(const void *items, uint32_t number, const void *key)
{
	return ((const struct items *)items)->items[number] == *(const uint64_t *)key;
}

static uint32_t by_hand(const struct items *all, uint64_t key)
{
	for (uint32_t i = 0; i < all->count; i++)
		if (all->items[i] == key)
			return i;
	return LOOKUP_NONE;
}

static void nothing_is_found_in_an_empty_table(void **state)
{
	struct items none = VEC_INIT;
	struct lookup x = {NULL, 0, 0};
	uint64_t key = 1;

	assert_int_equal(lookup_find(&x, 1, is_same, &none, &key), LOOKUP_NONE);
	lookup_fini(&x);
}

/* Few hashes for many keys: whoever agrees in the hash is told apart by the caller. */
static void random_keys_are_found_as_by_hand(void **state)
{
	for (uint64_t hashes = 1; hashes <= 4096; hashes *= 16) {
		struct items all = VEC_INIT;
		struct lookup x = {NULL, 0, 0};
		uint64_t rng = 7;

		for (int i = 0; i < 3000; i++) {
			uint64_t key = (rng = lookup_mix(rng, (uint64_t)i)) % 1000;
			uint64_t hash = lookup_hash(&key, sizeof(key)) % hashes;
			uint32_t found = lookup_find(&x, hash, is_same, &all, &key);

			assert_int_equal(found, by_hand(&all, key));
			if (found != LOOKUP_NONE)
				continue;
			lookup_add(&x, hash, (uint32_t)all.count);
			vec_push(&all, key);
		}
		assert_int_equal(x.count, all.count);
		vec_free(&all);
		lookup_fini(&x);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_found_in_an_empty_table),
		cmocka_unit_test(random_keys_are_found_as_by_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
