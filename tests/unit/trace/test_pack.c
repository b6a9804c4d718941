#include "unit.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "trace/bundle/frame.h"
#include "trace/bundle/upgrade.h"
#include "trace/codec.h"
#include "trace/elf/interp.h"
#include "trace/pack/pack.h"

static char *dir;

static int make_dir(void **state)
{
	struct err e = ERR_INIT;

	return fs_make_temporary_dir("test-pack", &dir, &e);
}

static int remove_dir(void **state)
{
	fs_remove_tree(dir);
	free(dir);
	return 0;
}

static char *write_input(const char *name, const char *text, size_t n)
{
	char *path = fs_join(dir, name);
	struct err e = ERR_INIT;

	assert_ok(fs_write_file(path, text, n, &e), e);
	return path;
}

/* A pack with a program of two frames, a source and an empty input. */
static char *make_pack(const char *name)
{
	static char big[TRACE_FRAME_MAX + 5];
	char *path = fs_join(dir, name), *program, *source, *input;
	struct trace_pack_out out;
	struct err e = ERR_INIT;

	for (size_t i = 0; i < sizeof(big); i++)
		big[i] = (char)(i % 61);
	program = write_input("program", big, sizeof(big));
	source = write_input("source", "int x;\n", 7);
	input = write_input("input", "", 0);
	assert_ok(trace_pack_create(&out, path, &e), e);
	assert_ok(trace_pack_add(&out, TRACE_PACK_PROGRAM, "prog", program, &e), e);
	assert_ok(trace_pack_add(&out, TRACE_PACK_SOURCE, "/home/a/x.c", source, &e), e);
	assert_ok(trace_pack_add(&out, TRACE_PACK_INPUT, "input", input, &e), e);
	assert_ok(trace_pack_finish(&out, &e), e);
	assert_false(fs_exists(path));
	assert_ok(trace_pack_commit(&out, &e), e);
	trace_pack_abort(&out);
	free(program);
	free(source);
	free(input);
	return path;
}

/* Reads all of it; how many members were handed out whole. */
static int read_all(int fd, unsigned *members, struct err *e)
{
	struct trace_pack_in in;
	struct trace_pack_member m;
	int rc = trace_pack_open_fd(&in, fd, e);

	*members = 0;
	while (rc == 0 && (rc = trace_pack_next(&in, &m, e)) == 1) {
		rc = trace_pack_contents(&in, -1, e);
		*members += rc == 0;
		trace_pack_member_fini(&m);
	}
	trace_pack_close(&in);
	return rc;
}

static int memory_file(const char *bytes, size_t n)
{
	int fd = memfd_create("pack", MFD_CLOEXEC);

	assert_true(fd >= 0 && fs_write_all(fd, bytes, n) == 0 && lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

static void members_come_back(void **state)
{
	char *path = make_pack("whole"), *copy = fs_join(dir, "copy"), *before;
	struct trace_pack_in in;
	struct trace_pack_member m;
	struct err e = ERR_INIT;
	uint64_t a, b;
	struct stat st;
	int fd = open(copy, O_RDWR | O_CREAT, 0600);

	assert_true(trace_pack_is(path));
	assert_true(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600);
	assert_ok(trace_pack_open(&in, path, &e), e);
	assert_int_equal(trace_pack_next(&in, &m, &e), 1);
	assert_int_equal(m.role, TRACE_PACK_PROGRAM);
	assert_string_equal(m.name, "prog");
	assert_int_equal(m.bytes, TRACE_FRAME_MAX + 5);
	assert_ok(trace_pack_contents(&in, fd, &e), e);
	trace_pack_member_fini(&m);
	close(fd);
	before = fs_join(dir, "program");
	assert_ok(fs_hash_file(before, &a, &e), e);
	assert_ok(fs_hash_file(copy, &b, &e), e);
	assert_true(a == b);
	assert_int_equal(trace_pack_next(&in, &m, &e), 1);
	assert_string_equal(m.name, "/home/a/x.c");
	assert_ok(trace_pack_contents(&in, -1, &e), e);
	trace_pack_member_fini(&m);
	assert_int_equal(trace_pack_next(&in, &m, &e), 1);
	assert_int_equal(m.bytes, 0);
	assert_ok(trace_pack_contents(&in, -1, &e), e);
	trace_pack_member_fini(&m);
	assert_int_equal(trace_pack_next(&in, &m, &e), 0);
	assert_int_equal(trace_pack_next(&in, &m, &e), 0);
	trace_pack_close(&in);
	free(before);
	free(copy);
	free(path);
}

static void what_is_there_is_not_replaced(void **state)
{
	char *path = make_pack("there");
	struct trace_pack_out out;
	struct err e = ERR_INIT;

	assert_int_equal(trace_pack_create(&out, path, &e), ERR_EXISTS);
	trace_pack_abort(&out);
	assert_true(trace_pack_is(path));
	free(path);
}

/* Every length cut and every byte changed is an error. */
static void damage_is_noticed(void **state)
{
	char *path = make_pack("damaged"), *bytes;
	struct err e = ERR_INIT;
	size_t n, step;
	unsigned members;

	assert_ok(fs_read_file(path, SIZE_MAX / 2, &bytes, &n, &e), e);
	assert_ok(read_all(memory_file(bytes, n), &members, &e), e);
	assert_int_equal(members, 3);
	step = n / 300 + 1;
	for (size_t i = 0; i < n; i += i < 200 || i + 400 > n ? 1 : step) {
		assert_true(read_all(memory_file(bytes, i), &members, &e) < 0);
		bytes[i] ^= 0x11;
		assert_true(read_all(memory_file(bytes, n), &members, &e) < 0);
		bytes[i] ^= 0x11;
	}
	bytes = realloc(bytes, n + 1);
	bytes[n] = 'x';
	assert_true(read_all(memory_file(bytes, n + 1), &members, &e) < 0);
	free(bytes);
	free(path);
}

static const struct {
	enum trace_pack_role role;
	const char *name;
	bool good;
} names[] = {
	{TRACE_PACK_PROGRAM, "a.out", true},	  {TRACE_PACK_PROGRAM, "", false},
	{TRACE_PACK_PROGRAM, ".", false},	  {TRACE_PACK_PROGRAM, "..", false},
	{TRACE_PACK_PROGRAM, ".bashrc", false},	  {TRACE_PACK_PROGRAM, "-rf", false},
	{TRACE_PACK_PROGRAM, "../a", false},	  {TRACE_PACK_PROGRAM, "/bin/sh", false},
	{TRACE_PACK_PROGRAM, "a\033[2J", false},  {TRACE_PACK_LIBRARY, "libstdc++.so.6", true},
	{TRACE_PACK_LIBRARY, "a/b.so", false},	  {TRACE_PACK_LIBRARY, "a:b.so", false},
	{TRACE_PACK_BUNDLE, "MANIFEST", true},	  {TRACE_PACK_BUNDLE, "events", true},
	{TRACE_PACK_BUNDLE, "a.out", false},	  {TRACE_PACK_BUNDLE, "../events", false},
	{TRACE_PACK_INPUTS, "streams", true},	  {TRACE_PACK_INPUTS, "/streams", false},
	{TRACE_PACK_SOURCE, "/home/a/x.c", true}, {TRACE_PACK_SOURCE, "/home/a b/ä.c", true},
	{TRACE_PACK_SOURCE, "x.c", false},	  {TRACE_PACK_SOURCE, "/", false},
	{TRACE_PACK_SOURCE, "/a/", false},	  {TRACE_PACK_SOURCE, "/a//b", false},
	{TRACE_PACK_SOURCE, "/a/../b", false},	  {TRACE_PACK_SOURCE, "/..", false},
	{TRACE_PACK_SOURCE, "/a/./b", false},	  {TRACE_PACK_SOURCE, "/a\n/b", false},
	{(enum trace_pack_role)0, "a", false},	  {(enum trace_pack_role)8, "a", false},
};

static void names_stay_in_their_place(void **state)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (trace_pack_name_is_good(names[i].role, names[i].name) != names[i].good)
			fail_msg("'%s' as role %d", names[i].name, (int)names[i].role);
}

/* A pack with one member of this name, put together by hand. */
static int forged(uint8_t role, const char *name)
{
	struct strbuf all = STRBUF_INIT, raw = STRBUF_INIT;
	struct trace_frame f = {.type = 32, .version = TRACE_VERSION};
	int fd;

	strbuf_add(&all, "heddle-pack 1\n");
	trace_put_u8(&raw, role);
	trace_put_string(&raw, name);
	trace_put_u64(&raw, 1);
	trace_frame_encode(&all, &f, raw.text, raw.length);
	f = (struct trace_frame){
		.type = 33, .version = TRACE_VERSION, .number = 1, .flags = TRACE_FRAME_LAST};
	trace_frame_encode(&all, &f, "x", 1);
	strbuf_clear(&raw);
	trace_put_u32(&raw, 1);
	f.type = 34;
	f.number = 2;
	trace_frame_encode(&all, &f, raw.text, raw.length);
	fd = memory_file(all.text, all.length);
	strbuf_free(&all);
	strbuf_free(&raw);
	return fd;
}

static void bad_names_are_not_handed_out(void **state)
{
	struct err e = ERR_INIT;
	unsigned members;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		int rc = read_all(forged((uint8_t)names[i].role, names[i].name), &members, &e);

		assert_int_equal(rc, names[i].good ? 0 : ERR_FORMAT);
		assert_int_equal(members, names[i].good);
	}
}

static void assert_source(const char *at, const char *file, const char *name)
{
	char *found = trace_pack_source_name(at, file);

	if (name)
		assert_string_equal(found, name);
	else
		assert_null(found);
	free(found);
}

static void sources_have_one_name(void **state)
{
	assert_source("/home/a", "x.c", "/home/a/x.c");
	assert_source("/home/a/build", "../src/./x.c", "/home/a/src/x.c");
	assert_source("/home/a", "/usr//include/../include/x.h", "/usr/include/x.h");
	assert_source("/a", "../../../etc/passwd", "/etc/passwd");
	assert_source("", "x.c", "/x.c");
	assert_source("build", "x.c", NULL);
	assert_source("/a", "..", NULL);
}

static void the_linker_is_named_anew(void **state)
{
	struct err e = ERR_INIT;
	char *path = fs_join(dir, "self"), *text = NULL, *bytes;
	size_t n, again;

	assert_ok(fs_read_file("/proc/self/exe", SIZE_MAX / 2, &bytes, &n, &e), e);
	assert_ok(fs_write_file(path, bytes, n, &e), e);
	free(bytes);
	assert_ok(trace_elf_interp_get(path, &text, &e), e);
	assert_true(text[0] == '/');
	free(text);
	assert_ok(trace_elf_interp_set(path, "/tmp/ld", &e), e);
	assert_ok(trace_elf_interp_get(path, &text, &e), e);
	assert_string_equal(text, "/tmp/ld");
	free(text);
	assert_int_equal(trace_elf_interp_set(path, "/a/name/that/is/longer/than/the/other", &e),
			 ERR_LIMIT);
	assert_ok(fs_read_file(path, SIZE_MAX / 2, &bytes, &again, &e), e);
	assert_true(n == again);
	assert_ok(fs_write_file(path, bytes, 100, &e), e);
	assert_true(trace_elf_interp_set(path, "/tmp/ld", &e) < 0);
	assert_ok(fs_write_file(path, "text", 4, &e), e);
	assert_int_equal(trace_elf_interp_get(path, &text, &e), ERR_FORMAT);
	free(bytes);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(members_come_back, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(what_is_there_is_not_replaced, make_dir,
						remove_dir),
		cmocka_unit_test_setup_teardown(damage_is_noticed, make_dir, remove_dir),
		cmocka_unit_test(names_stay_in_their_place),
		cmocka_unit_test(bad_names_are_not_handed_out),
		cmocka_unit_test(sources_have_one_name),
		cmocka_unit_test_setup_teardown(the_linker_is_named_anew, make_dir, remove_dir),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
