/* Dependences of small C programs, built with this tree's own compiler wrapper. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "deps/deps.h"
#include "trace/elf/elf_sites.h"
#include "unit.h"
#include "wire/event.h"

#define HEAD "extern int x, y, z, t[]; int x, y, z, t[8]; int puts(const char *);\n"

/* Lines are counted from the one after HEAD, which is 2. */
struct pair {
	unsigned from, to; /* lines of a read and of an event; 0: no more */
	bool depends;
};

static const struct program {
	const char *name, *text;
	struct pair pairs[8];
} programs[] = {
	{"condition",
	 "int main(void) {\n int r = 0;\n if (x == 1)\n  r = y;\n z = 1;\n return r; }\n",
	 {{4, 5, true}, {4, 6, false}, {5, 6, false}}},
	{"condition through a local",
	 "int main(void) {\n int a = x, r = 0;\n if (a == 1)\n  r = y;\n return r; }\n",
	 {{3, 5, true}}},
	{"condition through a result",
	 "static int f(void) { return x; }\nint main(void) {\n if (f() == 1)\n  return y;\n z = "
	 "2;\n"
	 " return 0; }\n",
	 {{2, 5, true}, {2, 6, true}}},
	{"condition through an argument",
	 "static void f(int a) {\n if (a)\n  y = 1;\n z = 1; }\nint main(void) {\n f(x);\n"
	 " return 0; }\n",
	 {{7, 4, true}, {7, 5, false}}},
	{"a call that may end the program",
	 "void exit(int) __attribute__((noreturn));\nstatic void f(void) {\n if (x == 1)\n  "
	 "exit(1);\n"
	 " y = 1; }\nint main(void) {\n f();\n return z; }\n",
	 {{4, 6, true}, {4, 9, true}}},
	{"a call that comes back",
	 "static void f(void) {\n if (x == 1)\n  puts(\"\");\n y = 1; }\nint main(void) {\n f();\n"
	 " return z; }\n",
	 {{3, 5, false}, {3, 8, false}}},
	{"a call nobody knows",
	 "void unknown(int);\nint main(void) {\n unknown(x);\n return y; }\nvoid weak(void) {}\n",
	 {{4, 5, true}}},
	{"a value written",
	 "int main(void) {\n int a = x;\n y = a + 1;\n z = 3;\n return 0; }\n",
	 {{3, 4, true}, {3, 5, false}}},
	{"a value decided",
	 "int main(void) {\n int a = x ? 1 : 2;\n y = a;\n z = 3;\n return 0; }\n",
	 {{3, 4, true}, {3, 5, false}}},
	{"an index",
	 "int main(void) {\n int a = x;\n int b = t[a];\n y = b;\n return z; }\n",
	 {{3, 4, true}, {3, 5, true}, {4, 5, true}, {3, 6, false}}},
	{"independent reads",
	 "int main(void) {\n int a = x;\n int b = x;\n return a + b; }\n",
	 {{3, 4, false}, {4, 3, false}}},
	{"a loop that may not end",
	 "int main(void) {\n while (x == 0)\n  ;\n return y; }\n",
	 {{3, 5, true}}},
	{"a loop that counts",
	 "int main(void) {\n int s = 0;\n for (int i = 0; i < 3; i++)\n  s += x;\n return y + s; "
	 "}\n",
	 {{5, 5, false}, {5, 6, false}}},
	{"private memory",
	 "int main(void) {\n int a[4] = {0};\n a[z & 3] = x;\n y = a[1];\n return 0; }\n",
	 {{4, 5, true}}},
	{"memory behind pointers",
	 "struct s { int a; } u, w;\nstatic void set(struct s *p, int v) { p->a = v; }\n"
	 "int main(void) {\n set(&u, x);\n y = u.a;\n z = w.a;\n return 0; }\n",
	 {{5, 6, true}, {5, 7, false}}},
	{"a function in a table",
	 "static void f(int a) {\n if (a)\n  y = 1; }\nstatic void g(int a) { z = 1; }\n"
	 "static void (*const table[])(int) = {f, g};\nint main(int n, char **v) {\n"
	 " table[n & 1](x);\n return 0; }\n",
	 {{8, 4, true}, {8, 5, false}}},
	{"what a thread is given",
	 "#include <pthread.h>\nstatic void *run(void *p) {\n if (p)\n  y = 1;\n z = 1;\n"
	 " return NULL; }\nint main(void) {\n pthread_t a;\n"
	 " pthread_create(&a, NULL, run, x ? &y : NULL);\n pthread_join(a, NULL);\n return t[0]; "
	 "}\n",
	 {{10, 5, true}, {10, 6, false}, {10, 12, false}}},
	{"whether a thread begins",
	 "#include <pthread.h>\nstatic void *run(void *p) {\n z = 1;\n return NULL; }\n"
	 "int main(void) {\n pthread_t a;\n if (x)\n  pthread_create(&a, NULL, run, NULL);\n"
	 " return y; }\n",
	 {{8, 4, true}, {8, 10, false}}},
	{"a lock that is chosen",
	 "#include <pthread.h>\npthread_mutex_t m[2];\nint main(void) {\n int a = x;\n"
	 " pthread_mutex_lock(&m[a]);\n pthread_mutex_lock(&m[1]);\n return 0; }\n",
	 {{5, 6, true}, {5, 7, false}}},
	{"setjmp",
	 "#include <setjmp.h>\njmp_buf b;\nint main(void) {\n if (setjmp(b)) return 1;\n int a = "
	 "x;\n"
	 " y = 1;\n return a; }\n",
	 {{6, 7, true}}},
};

static char directory[] = "/tmp/heddle-deps-XXXXXX";
static char compiler[PATH_MAX];

/* This test is in tests/unit of the build, the wrapper in bin. */
static int set_up(void **state)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	(void)state;
	if (n <= 0 || !mkdtemp(directory))
		return -1;
	self[n] = 0;
	for (int up = 0; up < 3; up++)
		*strrchr(self, '/') = 0;
	snprintf(compiler, sizeof(compiler), "%.4000s/bin/heddle-cc", self);
	return 0;
}

static int tear_down(void **state)
{
	char path[PATH_MAX];

	(void)state;
	snprintf(path, sizeof(path), "%s/p.c", directory);
	unlink(path);
	snprintf(path, sizeof(path), "%s/p.so", directory);
	unlink(path);
	return rmdir(directory);
}

/* Linked as a library, so that functions may be missing. */
static void compile(const char *text, char *binary, size_t bytes)
{
	char source[PATH_MAX], command[4 * PATH_MAX];
	FILE *f;

	snprintf(source, sizeof(source), "%s/p.c", directory);
	snprintf(binary, bytes, "%s/p.so", directory);
	f = fopen(source, "w");
	assert_non_null(f);
	fprintf(f, "%s%s", HEAD, text);
	fclose(f);
	snprintf(command, sizeof(command), "%s -g -w -fPIC -shared -o %s %s", compiler, binary,
		 source);
	assert_int_equal(system(command), 0);
}

/* On a line with several, a write or call is meant before a read. */
static uint32_t site_at(const struct trace_sites *t, unsigned line, bool read)
{
	const struct trace_site *found = NULL;

	for (size_t i = 0; i < t->count; i++) {
		const struct trace_site *s = &t->items[i];

		if (s->line != line)
			continue;
		if (s->kind == EVENT_READ && !found)
			found = s;
		else if (!read && (s->kind == EVENT_WRITE || (s->kind == EVENT_CALL && *s->name)))
			found = s;
	}
	if (!found)
		fail_msg("no %s on line %u", read ? "read" : "event", line);
	return found->id;
}

static void check_program(const struct program *p)
{
	struct trace_sites t = {0};
	char binary[PATH_MAX];
	struct err e = ERR_INIT;
	struct deps *d = NULL;

	compile(p->text, binary, sizeof(binary));
	assert_int_equal(trace_elf_sites_add(&t, binary, 0, &e), 0);
	if (deps_load(binary, &d, &e))
		fail_msg("%s: %s", p->name, e.text);
	for (size_t i = 0; p->pairs[i].from; i++) {
		const struct pair *q = &p->pairs[i];
		bool depends =
			deps_depends(d, site_at(&t, q->from, true), site_at(&t, q->to, false));

		if (depends != q->depends)
			fail_msg("%s: line %u %s on line %u", p->name, q->to,
				 depends ? "depends" : "does not depend", q->from);
	}
	assert_int_equal(deps_stats(d).units, 1);
	assert_int_equal(deps_stats(d).sites, t.count);
	assert_true(deps_depends(d, UINT32_MAX, 0));
	assert_true(deps_depends(d, 0, UINT32_MAX));
	deps_free(d);
	trace_sites_fini(&t);
}

/* A function and a variable of another unit. */
static void units_are_seen_together(void **state)
{
	char command[6 * PATH_MAX], path[3][PATH_MAX];
	static const char *const texts[] = {
		"int set(int);\nint v, w;\nint main(void) {\n int a = set(w);\n if (a)\n  return "
		"v;\n"
		" return w; }\n",
		"extern int v;\nint set(int b) {\n v = b;\n return v + 1; }\n"};
	struct trace_sites t = {0};
	struct err e = ERR_INIT;
	struct deps *d = NULL;
	FILE *f;

	(void)state;
	for (int i = 0; i < 2; i++) {
		snprintf(path[i], PATH_MAX, "%s/%c.c", directory, i ? 'q' : 'p');
		f = fopen(path[i], "w");
		assert_non_null(f);
		fputs(texts[i], f);
		fclose(f);
	}
	snprintf(path[2], PATH_MAX, "%s/p.so", directory);
	snprintf(command, sizeof(command), "%s -g -w -fPIC -shared -o %s %s %s", compiler, path[2],
		 path[0], path[1]);
	assert_int_equal(system(command), 0);
	unlink(path[1]);
	assert_int_equal(trace_elf_sites_add(&t, path[2], 0, &e), 0);
	assert_int_equal(deps_load(path[2], &d, &e), 0);
	assert_int_equal(deps_stats(d).units, 2);
	/* Line 4: w is read and handed over; line 3 of the other unit: v is written. */
	assert_true(deps_depends(d, site_at(&t, 4, true), site_at(&t, 3, false)));
	assert_true(deps_depends(d, site_at(&t, 4, true), site_at(&t, 6, true)));
	assert_false(deps_depends(d, site_at(&t, 6, true), site_at(&t, 3, false)));
	deps_free(d);
	trace_sites_fini(&t);
}

static void programs_have_their_dependences(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		check_program(&programs[i]);
}

static void a_file_without_bitcode_is_refused(void **state)
{
	struct err e = ERR_INIT;
	struct deps *d = NULL;

	(void)state;
	assert_int_equal(deps_load("/proc/self/exe", &d, &e), ERR_NOT_FOUND);
	assert_null(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_have_their_dependences),
		cmocka_unit_test(units_are_seen_together),
		cmocka_unit_test(a_file_without_bitcode_is_refused),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
