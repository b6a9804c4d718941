#include "unit.h"

#include "coop/turns.h"
#include "support_logs.h"

/* Two logs of three elements; the first has the elements 0 and 1, the second 1 and 2. */
struct fixture {
	struct coop_log logs[2];
	struct coop_set set;
	struct coop_elements x;
	uint32_t kinds[3], from[3];
	struct coop_candidate c;
	struct coop_turn_block block;
};

static void begin(struct fixture *f, enum coop_flavour flavour, enum coop_bond bond)
{
	const struct coop_log *all[2] = {&f->logs[0], &f->logs[1]};
	struct err e = ERR_INIT;

	memset(f, 0, sizeof(*f));
	log_begin(&f->logs[0], 3, 1);
	log_vector(&f->logs[0], 0, "1");
	log_vector(&f->logs[0], 1, "12");
	log_begin(&f->logs[1], 3, 2);
	log_vector(&f->logs[1], 1, "21");
	log_vector(&f->logs[1], 2, "2");
	assert_int_equal(coop_set_init(&f->set, all, 2, &e), 0);
	f->x.flavour = flavour;
	for (uint32_t i = 0; i < 3; i++) {
		vec_push(&f->x.names, xasprintf("e%u", i));
		vec_push(&f->x.flags, 0);
		vec_push(&f->x.sites,
			 ((struct coop_site){i, COOP_NO_ELEMENT, i ? i - 1 : COOP_NO_ELEMENT, 0}));
		f->from[i] = i < 2 ? 0 : 1;
		f->kinds[i] = coop_set_kind(&f->set, f->from[i], i);
	}
	f->c = (struct coop_candidate){bond, 0, 0, f->kinds, f->from};
}

static void end(struct fixture *f)
{
	coop_turns_fini(&f->block);
	coop_elements_fini(&f->x);
	coop_set_fini(&f->set);
	for (int i = 0; i < 2; i++)
		coop_log_fini(&f->logs[i]);
}

static const struct turns_head *head_of(const struct fixture *f)
{
	return (const struct turns_head *)f->block.bytes.text;
}

static const struct coop_site *sites_of(const struct fixture *f)
{
	return (const struct coop_site *)(f->block.bytes.text + sizeof(struct turns_head) +
					  head_of(f)->threads * sizeof(struct turns_thread));
}

static const struct turns_element *elements_of(const struct fixture *f)
{
	return (const struct turns_element *)(sites_of(f) + head_of(f)->sites);
}

static void orders_of_others_are_marked(void **state)
{
	struct fixture f;

	begin(&f, COOP_ORDER, COOP_SOFT_OTHERS);
	coop_turns_make(&f.x, &f.set, &f.c, &f.block);
	assert_int_equal(head_of(&f)->elements, 3);
	assert_int_equal(head_of(&f)->blocks, 0);
	assert_int_equal(elements_of(&f)[0].soft, 0);
	assert_int_equal(elements_of(&f)[1].soft, 0);
	assert_int_equal(elements_of(&f)[2].soft, 1);
	end(&f);
	begin(&f, COOP_ORDER, COOP_HARD);
	coop_turns_make(&f.x, &f.set, &f.c, &f.block);
	assert_int_equal(elements_of(&f)[2].soft, 0);
	end(&f);
}

static void elements_without_an_order_are_left_out(void **state)
{
	struct fixture f;

	begin(&f, COOP_BLOCKS, COOP_HARD);
	f.kinds[0] = f.from[0] = COOP_NONE;
	coop_turns_make(&f.x, &f.set, &f.c, &f.block);
	assert_int_equal(head_of(&f)->elements, 2);
	assert_int_equal(head_of(&f)->blocks, 1);
	/* Numbered anew, also where a thread is inside of one. */
	assert_int_equal(sites_of(&f)[0].element, COOP_NO_ELEMENT);
	assert_int_equal(sites_of(&f)[1].element, 0);
	assert_int_equal(sites_of(&f)[2].element, 1);
	assert_int_equal(sites_of(&f)[1].inside, COOP_NO_ELEMENT);
	assert_int_equal(sites_of(&f)[2].inside, 0);
	assert_int_equal(f.block.elements.items[0], 1);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders_of_others_are_marked),
		cmocka_unit_test(elements_without_an_order_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
