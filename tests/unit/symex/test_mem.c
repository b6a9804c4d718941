/* Memory of the machine: copies are apart, changes are carried, expressions live in bytes. */
#include "symex/mem.h"
#include "unit.h"

#define AT UINT64_C(0x200000001ffc) /* the access below crosses a page */

static void a_copy_does_not_see_later_writes(void **state)
{
	struct expr_pool *p = expr_pool_new();
	struct mem_space a, b;
	uint64_t v;
	expr_id e;

	mem_init(&a, p);
	mem_map(&a, AT, 64);
	assert_true(mem_store(&a, AT, 8, 0x1122334455667788, EXPR_NONE));
	mem_copy(&b, &a);
	assert_true(mem_store(&a, AT, 8, 1, EXPR_NONE));
	assert_true(mem_store(&b, AT + 8, 4, 7, EXPR_NONE));
	assert_true(mem_load(&b, AT, 8, &v, &e));
	assert_true(v == 0x1122334455667788 && !e);
	assert_true(mem_load(&a, AT + 8, 4, &v, &e));
	assert_int_equal(v, 0);
	mem_fini(&b);
	mem_fini(&a);
	expr_pool_free(p);
}

static void only_what_changed_is_carried(void **state)
{
	struct expr_pool *p = expr_pool_new();
	struct mem_space a, b;
	uint64_t v;
	expr_id e;

	mem_init(&a, p);
	mem_map(&a, AT, 64);
	mem_copy(&b, &a);
	(void)mem_store(&a, AT, 4, 5, EXPR_NONE);
	(void)mem_store(&b, AT + 4, 4, 9, EXPR_NONE);
	mem_carry(&a, &b);
	assert_true(mem_load(&a, AT, 8, &v, &e));
	assert_true(v == (UINT64_C(9) << 32 | 5));
	mem_fini(&b);
	mem_fini(&a);
	expr_pool_free(p);
}

static void an_expression_comes_back_whole(void **state)
{
	struct expr_pool *p = expr_pool_new();
	expr_id r = expr_read(p, 0, 64), e;
	struct mem_space a;
	uint64_t v;

	mem_init(&a, p);
	mem_map(&a, AT, 64);
	assert_true(mem_store(&a, AT, 8, 0, r));
	assert_true(mem_load(&a, AT, 8, &v, &e));
	assert_int_equal(e, r);
	assert_true(mem_move(&a, AT + 16, AT, 8));
	assert_true(mem_store(&a, AT + 17, 1, 0xaa, EXPR_NONE));
	assert_true(mem_load(&a, AT + 16, 8, &v, &e));
	assert_true(e != EXPR_NONE && e != r);
	assert_true(expr_eval(p, e, (uint64_t[]){0x1122334455667788}) == 0x112233445566aa88);
	mem_fini(&a);
	expr_pool_free(p);
}

static void what_is_not_mapped_is_not_there(void **state)
{
	struct expr_pool *p = expr_pool_new();
	struct mem_space a;
	uint64_t v;
	expr_id e;

	mem_init(&a, p);
	mem_map(&a, 0x5000, 16);
	assert_false(mem_load(&a, 0, 4, &v, &e));
	assert_false(mem_store(&a, 0x5ffc, 8, 0, EXPR_NONE));
	assert_true(mem_load(&a, 0x5ff8, 8, &v, &e));
	mem_fini(&a);
	expr_pool_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_does_not_see_later_writes),
		cmocka_unit_test(only_what_changed_is_carried),
		cmocka_unit_test(an_expression_comes_back_whole),
		cmocka_unit_test(what_is_not_mapped_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
