/* What comes from other programs and from users: tables of elements, profiles, failures, orders. */
#include "unit.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "coop/elements.h"
#include "coop/orders.h"
#include "coop/profile_file.h"
#include "coop/signature.h"

/* ---- tables ---- */

static void put_name(struct strbuf *to, const char *name)
{
	uint32_t flags = 0, bytes = (uint32_t)strlen(name);

	strbuf_add_bytes(to, &flags, 4);
	strbuf_add_bytes(to, &bytes, 4);
	strbuf_add(to, name);
}

static void put_table(struct strbuf *to, uint32_t element)
{
	struct coop_table head = {.magic = COOP_TABLE_MAGIC, .elements = 2, .sites = 1};
	struct coop_site site = {element, COOP_NO_ELEMENT, COOP_NO_ELEMENT, 0};

	strbuf_add_bytes(to, &head, sizeof(head));
	put_name(to, "a");
	put_name(to, "q.head");
	strbuf_add_bytes(to, &site, sizeof(site));
}

static void table_is_read_and_every_cut_refused(void **state)
{
	struct coop_elements x = {.names = VEC_INIT};
	struct strbuf b = STRBUF_INIT;
	struct err e = ERR_INIT;

	put_table(&b, 1);
	assert_int_equal(coop_elements_parse(&x, b.text, b.length, &e), 0);
	assert_int_equal(x.names.count, 2);
	assert_string_equal(x.names.items[1], "q.head");
	assert_int_equal(x.sites.items[0].element, 1);
	coop_elements_fini(&x);
	for (size_t n = 0; n < b.length; n++) {
		memset(&x, 0, sizeof(x));
		assert_int_equal(coop_elements_parse(&x, b.text, n, &e), ERR_FORMAT);
	}
	strbuf_free(&b);
}

static void table_with_unknown_element_is_refused(void **state)
{
	struct coop_elements x = {.names = VEC_INIT};
	struct strbuf b = STRBUF_INIT;
	struct err e = ERR_INIT;

	put_table(&b, 2);
	assert_int_equal(coop_elements_parse(&x, b.text, b.length, &e), ERR_FORMAT);
	strbuf_free(&b);
}

/* ---- profiles ---- */

#define HEAD "heddle coop profile 1\nbuild 000102030405060708090a0b0c0d0e0f10111213\nelements 9\n"

static void profile_is_written_as_it_was_read(void **state)
{
	static const char text[] = HEAD "element 2 a b\nelement 8 q.head\n";
	struct coop_profile p = {.elements = 0};
	struct strbuf again = STRBUF_INIT;
	struct err e = ERR_INIT;

	assert_int_equal(coop_profile_parse(&p, text, &e), 0);
	assert_int_equal(p.chosen.count, 2);
	assert_int_equal(p.build[19], 0x13);
	assert_string_equal(p.chosen.items[0].name, "a b");
	coop_profile_text(&p, &again);
	assert_string_equal(again.text, text);
	strbuf_free(&again);
	coop_profile_fini(&p);
}

static void bad_profiles_are_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"something else\n",
		HEAD,
		HEAD "element 9 a\n",
		HEAD "element 3 a\nelement 3 a\n",
		HEAD "element 3\n",
		HEAD "element x a\n",
		HEAD "element 99999999999999999999 a\n",
		"heddle coop profile 1\nbuild 00\nelements 9\nelement 1 a\n",
	};
	struct coop_profile p = {.elements = 0};
	struct err e = ERR_INIT;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(coop_profile_parse(&p, bad[i], &e), ERR_FORMAT);
		assert_int_equal(p.chosen.count, 0);
	}
}

/* ---- failures ---- */

static void signature_says_the_failure(void **state)
{
	struct trace_recording r = TRACE_RECORDING_INIT, again = TRACE_RECORDING_INIT;
	struct strbuf line = STRBUF_INIT, other = STRBUF_INIT;
	struct err e = ERR_INIT;

	r.failure.kind = RECORD_FAIL_ASSERT;
	r.failure.signal = 6;
	strcpy(r.failure.text, "p: /home/u/q.c:31: push: Assertion `n < a|b' failed.");
	r.place.file = xstrdup("/home/u/q.c");
	r.place.function = xstrdup("push");
	r.place.line = 31;
	coop_signature_make(&r, &line);
	assert_string_equal(line.text, "assertion | 6 | q.c | 31 | push | n < a b");
	assert_int_equal(coop_signature_parse(line.text, &again, &e), 0);
	assert_int_equal(again.failure.kind, RECORD_FAIL_ASSERT);
	assert_int_equal(again.place.line, 31);
	assert_string_equal(again.place.function, "push");
	coop_signature_make(&again, &other);
	assert_string_equal(other.text, line.text);
	strbuf_free(&line);
	strbuf_free(&other);
	trace_recording_fini(&r);
	trace_recording_fini(&again);
}

static void signature_of_a_deadlock_counts_who_waits(void **state)
{
	struct trace_recording r = TRACE_RECORDING_INIT, again = TRACE_RECORDING_INIT;
	struct trace_task t = {.row = {.state = RECORD_THREAD_RUNS, .waits_on = 8}};
	struct strbuf line = STRBUF_INIT;
	struct err e = ERR_INIT;

	r.failure.kind = RECORD_FAIL_DEADLOCK;
	t.row.waits_at = RECORD_AT_JOIN;
	vec_push(&r.tasks, t);
	t.row.waits_at = RECORD_AT_LOCK;
	vec_push(&r.tasks, t);
	vec_push(&r.tasks, t);
	coop_signature_make(&r, &line);
	assert_int_equal(coop_signature_parse(line.text, &again, &e), 0);
	assert_int_equal(again.tasks.count, 2);
	assert_int_equal(again.tasks.items[0].row.waits_at, RECORD_AT_LOCK);
	strbuf_free(&line);
	trace_recording_fini(&r);
	trace_recording_fini(&again);
}

static void signatures_are_said_in_words(void **state)
{
	static const char *const pairs[][2] = {
		{"assertion | 6 | q.c | 31 | push | n < 2", "assertion n < 2 at q.c:31 in push"},
		{"signal | 11 | q.c | 7 | pop | ",
		 "signal 11 (Segmentation fault) at q.c:7 in pop"},
		{"abort | 6 |  | 0 |  | ", "abort"},
		{"deadlock | 0 |  | 0 |  | 5 2 7 1",
		 "deadlock: 2 threads wait for a lock, 1 thread waits to be woken"},
		{"deadlock | 0 |  | 0 |  | ", "deadlock"},
		{"no signature", "no signature"},
		{"deadlock | 0 |  | 0 |  | 5 99999999999",
		 "deadlock | 0 |  | 0 |  | 5 99999999999"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		struct strbuf said = STRBUF_INIT;

		coop_signature_say(pairs[i][0], &said);
		assert_string_equal(said.text, pairs[i][1]);
		strbuf_free(&said);
	}
}

static void no_signature_is_refused(void **state)
{
	static const char *const bad[] = {"", "assertion", "assertion | 6 | a | 1 | b | c | d",
					  "surprise | 6 | a | 1 | b | c",
					  "deadlock | 0 |  | 0 |  | x"};
	struct err e = ERR_INIT;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct trace_recording r = TRACE_RECORDING_INIT;

		assert_int_equal(coop_signature_parse(bad[i], &r, &e), ERR_FORMAT);
		trace_recording_fini(&r);
	}
}

/* ---- orders ---- */

struct fixture {
	char dir[64];
	struct coop_profile profile;
	struct record_ctl *ctl;
	uint8_t *bytes;
	size_t count;
};

static void fixture_begin(struct fixture *f)
{
	struct err e = ERR_INIT;
	struct record_thread *rows;
	char *path;

	memset(f, 0, sizeof(*f));
	strcpy(f->dir, "/tmp/heddle-orders.XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	assert_int_equal(coop_profile_parse(&f->profile, HEAD "element 2 a\nelement 8 b\n", &e), 0);
	assert_int_equal(coop_orders_make(f->dir, &f->profile, false, &e), 0);
	f->ctl = xcalloc(1, RECORD_THREADS_AT + 8 * sizeof(*rows));
	f->ctl->threads = 3;
	rows = (struct record_thread *)((char *)f->ctl + RECORD_THREADS_AT);
	rows[0].creator = RECORD_NO_THREAD;
	rows[1] = (struct record_thread){.creator = 0, .index = 1};
	rows[2] = (struct record_thread){.creator = 1, .index = 0};
	path = fs_join(f->dir, COOP_FILE);
	assert_int_equal(fs_read_file(path, 16u << 20, (char **)&f->bytes, &f->count, &e), 0);
	free(path);
}

static struct coop_slot *slot(struct fixture *f, uint32_t i)
{
	return (struct coop_slot *)(f->bytes + COOP_SLOTS_AT) + i;
}

static int fixture_read(struct fixture *f, struct coop_log *l, uint32_t *lost)
{
	char *path = fs_join(f->dir, COOP_FILE);
	struct err e = ERR_INIT;
	struct coop_orders o;
	int rc;

	assert_int_equal(fs_write_file(path, f->bytes, f->count, &e), 0);
	free(path);
	memset(l, 0, sizeof(*l));
	o = (struct coop_orders){.dir = f->dir, .ctl = f->ctl, .profile = &f->profile};
	rc = coop_orders_read(&o, l, &e);
	*lost = o.lost;
	return rc;
}

static void fixture_end(struct fixture *f)
{
	assert_int_equal(fs_remove_flat_dir(f->dir, NULL), 0);
	coop_profile_fini(&f->profile);
	free(f->ctl);
	free(f->bytes);
}

static void orders_become_vectors(void **state)
{
	struct coop_area *area;
	struct coop_chunk *c;
	struct fixture f;
	struct coop_log l;
	uint32_t lost;

	fixture_begin(&f);
	area = (struct coop_area *)f.bytes;
	slot(&f, 0)->first = slot(&f, 0)->last = area->used;
	c = (struct coop_chunk *)(f.bytes + area->used);
	c->used = 2;
	((uint64_t *)(c + 1))[0] = coop_entry(0, 3);
	((uint64_t *)(c + 1))[1] = coop_entry(2, 1);
	slot(&f, 0)->entry = coop_entry(0, 2);
	assert_int_equal(fixture_read(&f, &l, &lost), 0);
	assert_int_equal(lost, 0);
	assert_int_equal(l.vectors.count, 2);
	assert_int_equal(l.vectors.items[0].element, 2);
	assert_int_equal(l.vectors.items[0].accesses, 6);
	assert_int_equal(l.vectors.items[0].runs.count, 3);
	assert_string_equal(l.threads.items[l.vectors.items[0].runs.items[1].thread], "0:2:1");
	assert_int_equal(l.vectors.items[1].accesses, 0);
	coop_log_fini(&l);
	fixture_end(&f);
}

static void orders_that_are_not_complete_are_left_out(void **state)
{
	struct coop_area *area;
	struct fixture f;
	struct coop_log l;
	uint32_t lost;

	for (int round = 0; round < 5; round++) {
		fixture_begin(&f);
		area = (struct coop_area *)f.bytes;
		slot(&f, 0)->entry = coop_entry(0, 1);
		if (round == 0)
			slot(&f, 0)->lost = 1;
		else if (round == 1)
			slot(&f, 0)->entry = coop_entry(3, 1); /* no such thread */
		else if (round == 2)
			slot(&f, 0)->first = f.count; /* no such chunk */
		else if (round == 3)
			slot(&f, 0)->first = area->used + 8;
		else {
			/* A chain without an end. */
			slot(&f, 0)->first = area->used;
			((struct coop_chunk *)(f.bytes + area->used))->next = area->used;
		}
		assert_int_equal(fixture_read(&f, &l, &lost), 0);
		assert_int_equal(lost, 1);
		assert_int_equal(l.vectors.count, 1);
		assert_int_equal(l.vectors.items[0].element, 8);
		coop_log_fini(&l);
		fixture_end(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_is_read_and_every_cut_refused),
		cmocka_unit_test(table_with_unknown_element_is_refused),
		cmocka_unit_test(profile_is_written_as_it_was_read),
		cmocka_unit_test(bad_profiles_are_refused),
		cmocka_unit_test(signature_says_the_failure),
		cmocka_unit_test(signature_of_a_deadlock_counts_who_waits),
		cmocka_unit_test(signatures_are_said_in_words),
		cmocka_unit_test(no_signature_is_refused),
		cmocka_unit_test(orders_become_vectors),
		cmocka_unit_test(orders_that_are_not_complete_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
