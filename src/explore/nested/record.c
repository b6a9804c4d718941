#include "explore/nested/record.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/mem.h"

#define MOST_BYTES (64u << 20)
#define MOST_CHOICES 10000000u
#define MOST_ARGUMENTS 100000u

/* ---- writing ---- */

static void add_line(struct strbuf *to, const char *word, const char *value)
{
	strbuf_addf(to, "%s ", word);
	for (; *value; value++) {
		if (*value == '\n')
			strbuf_add(to, "\\n");
		else if (*value == '\\')
			strbuf_add(to, "\\\\");
		else
			strbuf_add_char(to, *value);
	}
	strbuf_add_char(to, '\n');
}

static void add_all(struct strbuf *to, const struct nested_record *r)
{
	const struct nested_finding *f = &r->finding;

	strbuf_add(to, "heddle-stable 1\n");
	add_line(to, "program", r->program);
	add_line(to, "directory", r->directory);
	if (r->input)
		add_line(to, "input", r->input);
	for (size_t i = 0; i < r->arguments.count && r->arguments.items[i]; i++)
		add_line(to, "argument", r->arguments.items[i]);
	if (r->det)
		strbuf_add(to, "sections det\n");
	if (r->exit_fails)
		strbuf_add(to, "exits fail\n");
	strbuf_addf(to, "failure %s %d %llu\n", f->failure.kind, f->failure.code,
		    (unsigned long long)f->failure.line);
	if (f->decided)
		strbuf_addf(to, "choices %zu\n", f->choices.count);
	for (size_t i = 0; f->decided && i < f->choices.count; i++)
		strbuf_addf(to, "%u\n", f->choices.items[i]);
}

int nested_record_write(const char *dir, const struct nested_record *r, const char *report,
			struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	char *name = fs_join(dir, NESTED_RECORD_FILE), *beside = fs_join(dir, "report");
	int rc = fs_make_dirs(dir, e);

	add_all(&text, r);
	if (rc == 0)
		rc = fs_write_file(beside, report, strlen(report), e);
	if (rc == 0)
		rc = fs_write_file(name, text.text, text.length, e);
	strbuf_free(&text);
	free(name);
	free(beside);
	return rc;
}

/* ---- reading ---- */

/* The next line as a new string, NULL at the end. */
static char *take_line(const char **at)
{
	size_t n = strcspn(*at, "\n");
	char *line;

	if (!**at)
		return NULL;
	line = xstrndup(*at, n);
	*at += n + ((*at)[n] == '\n');
	return line;
}

static char *unescape(const char *value)
{
	char *text = xstrdup(value), *to = text;

	for (const char *c = value; *c; c++) {
		if (*c == '\\' && c[1]) {
			c++;
			*to++ = *c == 'n' ? '\n' : *c;
		} else {
			*to++ = *c;
		}
	}
	*to = '\0';
	return text;
}

static bool parse_number(const char *text, uint64_t most, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)*text) || strlen(text) > 18)
		return false;
	*value = strtoull(text, &end, 10);
	return !*end && *value <= most;
}

static void set_text(char **field, const char *value)
{
	free(*field);
	*field = unescape(value);
}

static bool parse_failure(struct nested_record *r, const char *value)
{
	static const char *const kinds[] = {"assert", "abort", "signal", "deadlock", "exit"};
	struct nested_failure *f = &r->finding.failure;
	unsigned long long line;

	if (sscanf(value, "%31s %d %llu", r->kind, &f->code, &line) != 3)
		return false;
	f->line = line;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i], r->kind) == 0)
			f->kind = kinds[i];
	return f->kind != NULL;
}

static bool parse_choices(struct nested_record *r, const char *value, const char **at)
{
	uint64_t count, thread;

	if (!parse_number(value, MOST_CHOICES, &count))
		return false;
	r->finding.decided = true;
	for (uint64_t i = 0; i < count; i++) {
		char *line = take_line(at);
		bool good = line && parse_number(line, REDUCE_THREADS - 1, &thread);

		free(line);
		if (!good)
			return false;
		vec_push(&r->finding.choices, (uint32_t)thread);
	}
	return true;
}

static bool parse_line(struct nested_record *r, char *line, const char **at)
{
	char *value = strchr(line, ' ');

	if (!value)
		return false;
	*value++ = '\0';
	if (strcmp(line, "program") == 0)
		set_text(&r->program, value);
	else if (strcmp(line, "directory") == 0)
		set_text(&r->directory, value);
	else if (strcmp(line, "input") == 0)
		set_text(&r->input, value);
	else if (strcmp(line, "argument") == 0 && r->arguments.count < MOST_ARGUMENTS)
		vec_push(&r->arguments, unescape(value));
	else if (strcmp(line, "sections") == 0 && strcmp(value, "det") == 0)
		r->det = true;
	else if (strcmp(line, "exits") == 0 && strcmp(value, "fail") == 0)
		r->exit_fails = true;
	else if (strcmp(line, "failure") == 0)
		return parse_failure(r, value);
	else if (strcmp(line, "choices") == 0 && !r->finding.decided)
		return parse_choices(r, value, at);
	else
		return false;
	return true;
}

int nested_record_parse(const char *text, struct nested_record *r, struct err *e)
{
	const char *at = text;
	char *line = take_line(&at);
	bool good = line && strcmp(line, "heddle-stable 1") == 0;
	unsigned number = 1;

	free(line);
	if (!good)
		return err_set(e, ERR_FORMAT, "it does not begin with heddle-stable 1");
	while (good && (line = take_line(&at)) != NULL) {
		number++;
		good = parse_line(r, line, &at);
		free(line);
	}
	if (!good)
		return err_set(e, ERR_FORMAT, "the line or list at line %u is malformed", number);
	vec_push(&r->arguments, NULL);
	if (!r->program || !r->directory || r->arguments.count < 2 || !r->finding.failure.kind)
		return err_set(e, ERR_FORMAT, "something is missing in it");
	return 0;
}

int nested_record_read(const char *dir, struct nested_record *r, struct err *e)
{
	char *name = fs_join(dir, NESTED_RECORD_FILE), *text = NULL;
	size_t n = 0;
	int rc = fs_read_file(name, MOST_BYTES, &text, &n, e);

	if (rc == 0 && memchr(text, 0, n))
		rc = err_set(e, ERR_FORMAT, "it is not a text");
	if (rc == 0)
		rc = nested_record_parse(text, r, e);
	if (rc)
		err_wrap(e, "reading %s", name);
	free(text);
	free(name);
	return rc;
}

void nested_record_fini(struct nested_record *r)
{
	free(r->program);
	free(r->directory);
	free(r->input);
	for (size_t i = 0; i < r->arguments.count; i++)
		free(r->arguments.items[i]);
	vec_free(&r->arguments);
	nested_failure_fini(&r->finding.failure);
	vec_free(&r->finding.choices);
}
