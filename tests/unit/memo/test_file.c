/* The file of a cache: round trip, damage, writers. */
#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "memo/file.h"
#include "support_memo.h"

static char path[256];
static const uint8_t build[SHA256_BYTES] = {1, 2, 3};

static int setup(void **state)
{
	(void)state;
	snprintf(path, sizeof(path), "/tmp/heddle-memo-%ld", (long)getpid());
	return 0;
}

static int teardown(void **state)
{
	char lock[300];

	(void)state;
	snprintf(lock, sizeof(lock), "%s.lock", path);
	unlink(path);
	unlink(lock);
	return 0;
}

/* Conditions of which no two are the same. */
static int add_one(void *arg, struct memo_cache *c, struct err *e)
{
	struct memo_part part = {.conditions = {.inputs = VEC_INIT}};
	struct memo_entry about = {.child = MEMO_NONE, .scheduler = 0};
	struct kit k;

	(void)e;
	kit_begin(&k);
	kit_loop(&k, 0, *(const uint8_t *)arg, &part.conditions);
	kit_order("0120", &part.schedule);
	part.schedule.items[1].hold = 3;
	(void)memo_cache_insert(c, &part, 1, &about, NULL, NULL);
	memo_terms_free(&part.conditions);
	memo_schedule_free(&part.schedule);
	kit_end(&k);
	return 0;
}

static int update(uint8_t number, struct err *e)
{
	return memo_file_update(path, build, add_one, &number, e);
}

static void test_round_trip(void **state)
{
	struct memo_cache c;
	struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;
	struct err e = ERR_INIT;

	(void)state;
	for (uint8_t i = 1; i < 9; i++)
		assert_ok(update(i, &e), e);
	assert_ok(memo_file_read_for(path, build, &c, &e), e);
	assert_int_equal(c.nodes.items[0].entries.count, 8);
	assert_int_equal(c.nodes.items[0].entries.items[0].schedule.items[1].hold, 3);
	memo_file_put(&c, &a);
	memo_cache_free(&c);
	assert_ok(memo_file_parse(a.text, a.length, &c, &e), e);
	memo_file_put(&c, &b);
	assert_int_equal(a.length, b.length);
	assert_memory_equal(a.text, b.text, a.length);
	memo_cache_free(&c);
	strbuf_free(&a);
	strbuf_free(&b);
}

static void test_damage(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct memo_cache c;
	struct err e = ERR_INIT;
	uint8_t number = 5, other[SHA256_BYTES] = {9};

	(void)state;
	memo_cache_init(&c);
	(void)add_one(&number, &c, &e);
	memo_file_put(&c, &text);
	memo_cache_free(&c);
	for (size_t n = 0; n < text.length; n++)
		assert_int_not_equal(memo_file_parse(text.text, n, &c, &e), 0);
	for (size_t at = 0; at < text.length; at++) {
		text.text[at] ^= 0x10;
		assert_int_not_equal(memo_file_parse(text.text, text.length, &c, &e), 0);
		text.text[at] ^= 0x10;
	}
	assert_ok(fs_write_file(path, text.text, text.length, &e), e);
	assert_error(memo_file_read_for(path, other, &c, &e), ERR_MISMATCH, e);
	/* What cannot be read is not replaced. */
	assert_ok(fs_write_file(path, text.text, text.length - 1, &e), e);
	assert_int_not_equal(update(6, &e), 0);
	assert_int_not_equal(memo_file_read(path, &c, &e), 0);
	strbuf_free(&text);
}

static void test_writers(void **state)
{
	struct memo_cache c;
	struct err e = ERR_INIT;
	int status;

	(void)state;
	for (uint8_t w = 0; w < 4; w++)
		if (fork() == 0) {
			for (uint8_t i = 0; i < 8; i++)
				if (update((uint8_t)(1 + 8 * w + i), &e))
					_exit(1);
			_exit(0);
		}
	for (unsigned w = 0; w < 4; w++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	assert_ok(memo_file_read(path, &c, &e), e);
	assert_int_equal(c.nodes.items[0].entries.count, 32);
	memo_cache_free(&c);
}

/* A writer without room, and one that is killed, leave what was. */
static void test_no_room(void **state)
{
	struct memo_cache c;
	struct err e = ERR_INIT;
	int status;

	(void)state;
	assert_ok(update(1, &e), e);
	if (fork() == 0) {
		struct rlimit limit = {100, 100};

		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
		_exit(update(2, &e) == ERR_IO ? 0 : 1);
	}
	assert_true(wait(&status) > 0);
	assert_int_equal(status, 0);
	if (fork() == 0) {
		struct rlimit limit = {100, 100};

		signal(SIGXFSZ, SIG_DFL);
		setrlimit(RLIMIT_FSIZE, &limit);
		(void)update(2, &e);
		_exit(1);
	}
	assert_true(wait(&status) > 0);
	assert_true(WIFSIGNALED(status));
	assert_ok(update(3, &e), e);
	assert_ok(memo_file_read(path, &c, &e), e);
	assert_int_equal(c.nodes.items[0].entries.count, 2);
	memo_cache_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_round_trip, setup, teardown),
		cmocka_unit_test_setup_teardown(test_damage, setup, teardown),
		cmocka_unit_test_setup_teardown(test_writers, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_room, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
