/* What is kept: runs once by their paths, proofs, over closing, damage and two at once. */
#include "unit.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "store/store.h"

static char path[256];

static int setup(void **state)
{
	(void)state;
	snprintf(path, sizeof(path), "/tmp/heddle-store-%ld.db", (long)getpid());
	return 0;
}

static int teardown(void **state)
{
	static const char *const ends[] = {"", "-wal", "-shm"};
	char name[300];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "%s%s", path, ends[i]);
		unlink(name);
	}
	return 0;
}

static struct store *open_store(bool write)
{
	struct store *s = NULL;
	struct err e = ERR_INIT;

	if (store_open(path, write, &s, &e) != 0)
		fail_msg("%s", e.text);
	return s;
}

static bool add_run(struct store *s, uint64_t build, uint64_t paths, const char *name)
{
	struct err e = ERR_INIT;
	bool fresh;

	assert_int_equal(store_run_add(s, build, paths, name, &fresh, &e), 0);
	return fresh;
}

static void runs_with_the_same_paths_are_one(void **state)
{
	struct store *s = open_store(true);
	struct store_counts c;
	struct err e = ERR_INIT;

	(void)state;
	assert_true(add_run(s, 1, 10, "a"));
	assert_false(add_run(s, 1, 10, "b"));
	assert_true(add_run(s, 1, UINT64_MAX, "c"));
	assert_true(add_run(s, 2, 10, "d"));
	assert_int_equal(store_count(s, 1, &c, &e), 0);
	assert_int_equal(c.runs, 2);
	assert_int_equal(c.seen, 3);
	assert_int_equal(store_count(s, 0, &c, &e), 0);
	assert_int_equal(c.runs, 3);
	assert_int_equal(c.builds, 2);
	store_close(s);
}

/* Keys that differ in nothing but their last byte are two. */
static void key_of(uint64_t n, uint8_t key[STORE_KEY_BYTES])
{
	memset(key, 0, STORE_KEY_BYTES);
	key[STORE_KEY_BYTES - 1] = (uint8_t)n;
	key[STORE_KEY_BYTES - 2] = (uint8_t)(n >> 8);
}

static int add_proof(struct store *s, uint64_t build, uint64_t n, struct err *e)
{
	uint8_t key[STORE_KEY_BYTES];
	char place[32];

	key_of(n, key);
	snprintf(place, sizeof(place), "a.c:%d", (int)n);
	return store_proof_add(s, build, key, place, e);
}

static bool has_proof(struct store *s, uint64_t build, uint64_t n)
{
	uint8_t key[STORE_KEY_BYTES];

	key_of(n, key);
	return store_proof_has(s, build, key);
}

struct names {
	char text[64];
};

static int add_place(void *arg, const char *place, uint64_t proofs, struct err *e)
{
	struct names *n = arg;

	(void)e;
	snprintf(n->text + strlen(n->text), sizeof(n->text) - strlen(n->text), "%s:%d ", place,
		 (int)proofs);
	return 0;
}

static int add_name(void *arg, const char *name, uint64_t paths, uint64_t times, struct err *e)
{
	struct names *n = arg;

	(void)e;
	snprintf(n->text + strlen(n->text), sizeof(n->text) - strlen(n->text), "%s:%d:%d ", name,
		 (int)paths, (int)times);
	return 0;
}

static void what_was_added_is_there_again(void **state)
{
	struct store *s = open_store(true);
	struct names n = {""}, places = {""};
	struct err e = ERR_INIT;

	(void)state;
	add_run(s, 7, 1, "one");
	add_run(s, 7, 2, "two");
	add_run(s, 7, 1, "three");
	assert_int_equal(add_proof(s, 7, 5, &e), 0);
	assert_int_equal(add_proof(s, 7, 6, &e), 0);
	assert_int_equal(add_proof(s, 7, 6, &e), 0);
	store_close(s);
	s = open_store(false);
	assert_true(has_proof(s, 7, 5));
	assert_false(has_proof(s, 7, 4));
	assert_false(has_proof(s, 7, 7));
	assert_false(has_proof(s, 8, 5));
	assert_int_equal(store_places(s, 7, add_place, &places, &e), 0);
	assert_string_equal(places.text, "a.c:5:1 a.c:6:1 ");
	assert_int_equal(store_runs(s, 7, add_name, &n, &e), 0);
	assert_string_equal(n.text, "one:1:2 two:2:1 ");
	store_close(s);
}

/* Nobody has to end for others to see, or to write. */
static void what_one_adds_others_see(void **state)
{
	struct store *a = open_store(true), *b = open_store(true), *r = open_store(false);
	struct err e = ERR_INIT;

	(void)state;
	assert_int_equal(add_proof(a, 1, 1, &e), 0);
	assert_true(has_proof(r, 1, 1));
	assert_int_equal(add_proof(b, 1, 2, &e), 0);
	assert_true(add_run(a, 1, 3, "one"));
	assert_false(add_run(b, 1, 3, "two"));
	assert_true(has_proof(r, 1, 2));
	assert_false(has_proof(r, 1, 3));
	store_close(r);
	store_close(b);
	store_close(a);
}

#define WRITERS 8
#define ROWS 50

/* One of many that open a file at the same time, which is new to all of them. */
static int write_rows(int go, uint64_t writer)
{
	struct store *s = NULL;
	struct err e = ERR_INIT;
	bool fresh;
	char byte;
	int rc;

	if (read(go, &byte, 1) != 0)
		return 2;
	rc = store_open(path, true, &s, &e);
	for (uint64_t i = 0; i < ROWS && rc == 0; i++) {
		rc = store_run_add(s, 1, i, "run", &fresh, &e);
		if (rc == 0)
			rc = add_proof(s, 1, writer * ROWS + i, &e);
	}
	store_close(s);
	if (rc != 0)
		fprintf(stderr, "writer %d: %s\n", (int)writer, e.text);
	return rc != 0;
}

static void many_begin_one_file(void **state)
{
	struct store *s;
	struct store_counts c;
	struct err e = ERR_INIT;
	pid_t pids[WRITERS];
	int go[2], status;

	(void)state;
	assert_int_equal(pipe(go), 0);
	for (int i = 0; i < WRITERS; i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i] == 0) {
			close(go[1]);
			_exit(write_rows(go[0], (uint64_t)i));
		}
	}
	close(go[0]);
	close(go[1]);
	for (int i = 0; i < WRITERS; i++) {
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	s = open_store(false);
	assert_int_equal(store_count(s, 1, &c, &e), 0);
	assert_int_equal(c.runs, ROWS);
	assert_int_equal(c.seen, ROWS * WRITERS);
	assert_int_equal(c.proofs, ROWS * WRITERS);
	store_close(s);
}

static void bad_files_are_errors(void **state)
{
	static const char text[] = "this is no database, but it is long enough to be taken for one";
	struct store *s = NULL;
	struct err e = ERR_INIT;

	(void)state;
	assert_int_equal(store_open(path, false, &s, &e), ERR_NOT_FOUND);
	assert_null(s);
	assert_int_equal(fs_write_file(path, text, sizeof(text), &e), 0);
	assert_int_equal(store_open(path, true, &s, &e), ERR_FORMAT);
	assert_non_null(strstr(e.text, path));
	assert_false(store_is(path));
	assert_int_equal(store_open("/proc/no/such/place.db", true, &s, &e), ERR_NOT_FOUND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(runs_with_the_same_paths_are_one, setup, teardown),
		cmocka_unit_test_setup_teardown(what_was_added_is_there_again, setup, teardown),
		cmocka_unit_test_setup_teardown(what_one_adds_others_see, setup, teardown),
		cmocka_unit_test_setup_teardown(many_begin_one_file, setup, teardown),
		cmocka_unit_test_setup_teardown(bad_files_are_errors, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
