#include "cli/check/tests.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "cli/near.h"
#include "run/guest/libraries.h"
#include "run/guest/program.h"
#include "trace/elf/elf.h"

/* Which framework names one of its options in the data of this file. */
static enum cli_tests_kind kind_of_file(const char *path)
{
	static const struct {
		const char *text;
		enum cli_tests_kind kind;
	} marks[] = {{"gtest_list_tests", CLI_TESTS_GOOGLE},
		     {"list-test-names-only", CLI_TESTS_CATCH2},
		     {"list-listeners", CLI_TESTS_CATCH3}};
	struct trace_elf_section s = {.contents = NULL};
	struct trace_elf *elf;
	struct err e = ERR_INIT;
	enum cli_tests_kind kind = CLI_TESTS_NONE;

	if (trace_elf_open(path, &elf, &e) != 0)
		return kind;
	if (trace_elf_read(elf, ".rodata", &s, &e) == 0) {
		for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]) && !kind; i++)
			if (memmem(s.contents, s.bytes, marks[i].text, strlen(marks[i].text)))
				kind = marks[i].kind;
		free(s.contents);
	}
	trace_elf_close(elf);
	return kind;
}

static enum cli_tests_kind kind_of(const char *path)
{
	struct run_words libraries = VEC_INIT;
	struct err e = ERR_INIT;
	enum cli_tests_kind kind = kind_of_file(path);

	if (!kind && run_libraries(path, &libraries, &e) == 0)
		for (size_t i = 0; i < libraries.count && !kind; i++)
			kind = kind_of_file(libraries.items[i]);
	run_words_fini(&libraries);
	return kind;
}

static bool begins(const char *text, size_t n, const char *with)
{
	return n >= strlen(with) && strncmp(text, with, strlen(with)) == 0;
}

/* The program says "Suite." or "Suite/0.  # TypeParam = int", and then "  Name  # GetParam() = 3".
 */
static void take_google_line(struct cli_tests *t, const char *line, size_t n, struct strbuf *suite)
{
	size_t indent = strspn(line, " "), end = indent;
	const char *name, *slash;

	if (indent > n)
		return;
	while (end < n && !isspace((unsigned char)line[end]))
		end++;
	name = line + indent;
	if (indent == 0) {
		strbuf_clear(suite);
		if (end > 1 && line[end - 1] == '.')
			strbuf_add_bytes(suite, line, end);
		return;
	}
	if (!suite->length || end == indent)
		return;
	slash = strrchr(suite->text, '/');
	if (begins(name, end - indent, "DISABLED_") ||
	    begins(suite->text, suite->length, "DISABLED_") ||
	    (slash && begins(slash + 1, strlen(slash + 1), "DISABLED_"))) {
		t->disabled++;
		return;
	}
	vec_push(&t->names, xasprintf("%s%.*s", suite->text, (int)(end - indent), name));
}

void cli_tests_parse_google(struct cli_tests *t, const char *text)
{
	struct strbuf suite = STRBUF_INIT;

	while (*text) {
		size_t n = strcspn(text, "\n");

		take_google_line(t, text, n, &suite);
		text += n + (text[n] == '\n');
	}
	strbuf_free(&suite);
}

/* One name per line; a name may begin with '#' or be quoted then. */
void cli_tests_parse_catch(struct cli_tests *t, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n"), from = 0, to = n;

		if (to > 0 && text[to - 1] == '\r')
			to--;
		if (to - from > 2 && text[from] == '"' && text[to - 1] == '"') {
			from++;
			to--;
		}
		if (to > from)
			vec_push(&t->names, xstrndup(text + from, to - from));
		text += n + (text[n] == '\n');
	}
}

static char **with_words(char *const *argv, const char *a, const char *b, const char *c)
{
	const char *more[] = {a, b, c};
	size_t n = 0, to = 0;
	char **all;

	while (argv[n])
		n++;
	all = xcalloc(n + 4, sizeof(*all));
	for (; to < n; to++)
		all[to] = xstrdup(argv[to]);
	for (size_t i = 0; i < 3 && more[i]; i++)
		all[to++] = xstrdup(more[i]);
	return all;
}

void cli_tests_argv_free(char **argv)
{
	for (size_t i = 0; argv && argv[i]; i++)
		free(argv[i]);
	free(argv);
}

static char **list_argv(enum cli_tests_kind kind, char *const *argv)
{
	if (kind == CLI_TESTS_GOOGLE)
		return with_words(argv, "--gtest_list_tests", NULL, NULL);
	if (kind == CLI_TESTS_CATCH2)
		return with_words(argv, "--list-test-names-only", NULL, NULL);
	return with_words(argv, "--list-tests", "--verbosity", "quiet");
}

/* What has a meaning in the patterns of Catch is quoted. */
static char *catch_pattern(const char *name)
{
	struct strbuf text = STRBUF_INIT;

	for (; *name; name++) {
		if (strchr("\\,[]*\"~", *name))
			strbuf_add_char(&text, '\\');
		strbuf_add_char(&text, *name);
	}
	return strbuf_take(&text);
}

char **cli_tests_argv(const struct cli_tests *t, char *const *argv, const char *name)
{
	char *word = t->kind == CLI_TESTS_GOOGLE ? xasprintf("--gtest_filter=%s", name)
						 : catch_pattern(name);
	char **all = with_words(argv, word, NULL, NULL);

	free(word);
	return all;
}

static int run_list(struct cli_tests *t, char **argv, struct err *e)
{
	struct proc_result result = {0};
	int rc = proc_run(argv, PROC_CAPTURE, &result, e);
	int code = rc == 0 ? proc_exit_code(result.status) : 0;

	if (rc != 0)
		return rc;
	/* Catch 2 ends with the number of the tests. */
	if (code >= 128 || (code != 0 && t->kind != CLI_TESTS_CATCH2))
		rc = err_set(e, ERR_IO, "%s does not list its tests: it ended with status %d",
			     argv[0], code);
	else if (result.out && t->kind == CLI_TESTS_GOOGLE)
		cli_tests_parse_google(t, result.out);
	else if (result.out)
		cli_tests_parse_catch(t, result.out);
	free(result.out);
	return rc;
}

int cli_tests_list(struct cli_tests *t, char *const *argv, struct err *e)
{
	struct run_program p = RUN_PROGRAM_INIT;
	char **words;
	int rc = run_program_init(&p, argv, "all", e);

	if (rc == 0)
		rc = run_program_check(&p, e);
	if (rc != 0) {
		run_program_fini(&p);
		return rc;
	}
	t->kind = kind_of(p.path);
	if (!t->kind) {
		run_program_fini(&p);
		return err_set(e, ERR_UNSUPPORTED,
			       "%s is no program of GoogleTest or Catch2: it has "
			       "no single tests",
			       argv[0]);
	}
	words = list_argv(t->kind, argv);
	free(words[0]);
	words[0] = xstrdup(p.path);
	rc = run_list(t, words, e);
	cli_tests_argv_free(words);
	run_program_fini(&p);
	return rc;
}

void cli_tests_fini(struct cli_tests *t)
{
	for (size_t i = 0; i < t->names.count; i++)
		free(t->names.items[i]);
	vec_free(&t->names);
}

int cli_tests_find(const struct cli_tests *t, const char *name, struct err *e)
{
	struct cli_near near = {.to = name};

	for (size_t i = 0; i < t->names.count; i++) {
		if (strcmp(t->names.items[i], name) == 0)
			return 0;
		cli_near_try(&near, t->names.items[i]);
	}
	return near.best ? err_set(e, ERR_USAGE, "no test is called '%s'; did you mean '%s'?", name,
				   near.best)
			 : err_set(e, ERR_USAGE, "no test is called '%s'", name);
}
