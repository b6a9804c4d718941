/* Store buffers against a model that keeps every pending store in a plain list. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "guest/check/mem/buffer.h"

static struct store_buffer *fresh(void)
{
	return buffer_of_slot(0);
}

static void put(struct store_buffer *b, uint64_t addr, uint64_t value, uint8_t size)
{
	static uint32_t tix;
	struct buffer_entry e = {
		.store = { .at = addr, .value = value, .size = size, .tix = tix++ }
	};

	buffer_put(b, &e);
}

static void tso_commits_the_oldest_store_only(void **state)
{
	struct store_buffer *b = fresh();

	put(b, 16, 1, 4);
	put(b, 32, 2, 4);
	assert_int_equal(buffer_choices(b, MODEL_TSO), 1);
	assert_int_equal(buffer_take(b, MODEL_TSO, 0).store.value, 1);
	assert_int_equal(buffer_take(b, MODEL_TSO, 0).store.value, 2);
	assert_int_equal(buffer_choices(b, MODEL_TSO), 0);
}

static void pso_keeps_the_order_of_overlapping_stores(void **state)
{
	struct store_buffer *b = fresh();

	put(b, 16, 1, 4);
	put(b, 18, 2, 4);
	put(b, 32, 3, 4);
	assert_int_equal(buffer_choices(b, MODEL_PSO), 2);
	assert_int_equal(buffer_take(b, MODEL_PSO, 1).store.value, 3);
	assert_int_equal(buffer_choices(b, MODEL_PSO), 1);
	assert_int_equal(buffer_take(b, MODEL_PSO, 0).store.value, 1);
	assert_int_equal(buffer_take(b, MODEL_PSO, 0).store.value, 2);
}

static void a_barrier_holds_younger_stores_back(void **state)
{
	struct store_buffer *b = fresh();

	put(b, 16, 1, 4);
	put(b, 24, 2, 4);
	buffer_barrier(b);
	put(b, 32, 3, 4);
	assert_int_equal(buffer_choices(b, MODEL_PSO), 2);
	buffer_take(b, MODEL_PSO, 0);
	assert_int_equal(buffer_choices(b, MODEL_PSO), 1);
	buffer_take(b, MODEL_PSO, 0);
	assert_int_equal(buffer_take(b, MODEL_PSO, 0).store.value, 3);
}

static void a_store_is_found_by_its_event(void **state)
{
	struct store_buffer *b = fresh();
	uint32_t first;

	put(b, 16, 1, 4);
	put(b, 16, 2, 4);
	put(b, 32, 3, 4);
	first = b->entries[0].store.tix;
	assert_int_equal(buffer_choice_of(b, MODEL_PSO, first), 0);
	assert_int_equal(buffer_choice_of(b, MODEL_PSO, first + 1), BUFFER_NO_CHOICE);
	assert_int_equal(buffer_choice_of(b, MODEL_PSO, first + 2), 1);
	assert_int_equal(buffer_choice_of(b, MODEL_TSO, first + 2), BUFFER_NO_CHOICE);
}

#define CELLS 16

/* Random stores and commits: own view = all stores in order, memory = the committed ones. */
static void forwarding_shows_every_own_store(void **state)
{
	srand(7);
	for (int round = 0; round < 2000; round++) {
		struct store_buffer *b = fresh();
		uint8_t memory[CELLS] = { 0 }, own[CELLS] = { 0 }, seen[CELLS];
		enum wire_model model = rand() % 2 ? MODEL_TSO : MODEL_PSO;

		for (int step = 0; step < 30; step++) {
			uint8_t size = (uint8_t)(1 << rand() % 4);
			uint64_t addr = (uint64_t)(rand() % (CELLS - size + 1)), value = (uint64_t)rand();
			uint32_t choices = buffer_choices(b, model);

			if (rand() % 2 && !buffer_full(b)) {
				put(b, addr, value, size);
				memcpy(own + addr, &value, size);
			} else if (choices) {
				struct buffer_entry e =
					buffer_take(b, model, (uint32_t)rand() % choices);

				memcpy(memory + e.store.at, &e.store.value, e.store.size);
			}
			memcpy(seen, memory, CELLS);
			buffer_forward(b, 0, seen, CELLS);
			assert_memory_equal(seen, own, CELLS);
		}
	}
}

static void others_do_not_see_early_stores(void **state)
{
	struct store_buffer *b = fresh();
	uint32_t memory = 1, seen;

	for (uint32_t value = 2; value <= 3; value++) {
		struct buffer_entry e = { .store = { .at = 64, .value = value, .size = 4, .tix = value },
					  .old = memory,
					  .early = 1 };

		memory = value;
		buffer_put(b, &e);
	}
	seen = memory;
	buffer_hide(b, 64, &seen, 4);
	assert_int_equal(seen, 1);
	buffer_take(b, MODEL_TSO, 0);
	seen = memory;
	buffer_hide(b, 64, &seen, 4);
	assert_int_equal(seen, 2);
	buffer_overtaken(b, 66, 1);
	assert_false(b->entries[0].early);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tso_commits_the_oldest_store_only),
		cmocka_unit_test(pso_keeps_the_order_of_overlapping_stores),
		cmocka_unit_test(a_barrier_holds_younger_stores_back),
		cmocka_unit_test(a_store_is_found_by_its_event),
		cmocka_unit_test(forwarding_shows_every_own_store),
		cmocka_unit_test(others_do_not_see_early_stores),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
