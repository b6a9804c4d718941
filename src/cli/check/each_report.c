#include "cli/check/each_report.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "base/mem.h"
#include "cli/exit.h"
#include "cli/version.h"

#define NAME_WIDTH 48
#define VERDICT_WIDTH 72

static const char *word_of(int code)
{
	static const char *const words[] = {"clean", "failure", "usage", "error", "inconclusive"};

	return code >= 0 && code < 5 ? words[code] : "error";
}

/* The last line that begins so, without its beginning; NULL when there is none. */
static char *last_line(const char *text, const char *beginning)
{
	size_t length = strlen(beginning);
	const char *found = NULL;

	while (text && *text) {
		size_t n = strcspn(text, "\n");

		if (n > length && strncmp(text, beginning, length) == 0)
			found = text + length;
		text += n + (text[n] == '\n');
	}
	return found ? xstrndup(found, strcspn(found, "\n")) : NULL;
}

/* The value of "text": "…" of our own JSON, as it stands there. */
static char *json_text(const char *text)
{
	static const char beginning[] = "\"text\": \"";
	const char *at = NULL, *end;

	/* The verdict's is the last. */
	for (const char *next = text; next && (next = strstr(next, beginning)) != NULL;) {
		next += sizeof(beginning) - 1;
		at = next;
	}
	if (!at)
		return NULL;
	end = at;
	while (*end && *end != '"')
		end += *end == '\\' && end[1] ? 2 : 1;
	return xstrndup(at, (size_t)(end - at));
}

void cli_each_report_verdict(struct cli_each_test *t)
{
	assert(!t->verdict);
	if (!t->done)
		t->verdict = xstrdup("not run: interrupted");
	if (!t->verdict)
		t->verdict = last_line(t->out, "check: ");
	if (!t->verdict && t->out && t->out[0] == '{')
		t->verdict = json_text(t->out);
	if (!t->verdict)
		t->verdict = last_line(t->err, "heddle check: ");
	if (!t->verdict)
		t->verdict = xstrdup(word_of(t->code));
}

/* Our own document: what is between its list of runs and its end. */
static char *sarif_runs(const char *text)
{
	static const char beginning[] = "\"runs\": [";
	const char *from = text ? strstr(text, beginning) : NULL;
	const char *to = text ? strrchr(text, ']') : NULL;

	if (!from || !to || to < from)
		return NULL;
	from += sizeof(beginning) - 1;
	return xstrndup(from, (size_t)(to - from));
}

static void say_errors(const struct cli_each_report *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->tests[i].err && r->tests[i].err[0])
			fprintf(stderr, "%s: %s", r->tests[i].name, r->tests[i].err);
}

static void write_sarif(const struct cli_each_report *r)
{
	bool first = true;

	printf("{\n  \"version\": \"2.1.0\",\n  \"runs\": [");
	for (size_t i = 0; i < r->count; i++) {
		char *runs = sarif_runs(r->tests[i].out);

		if (runs)
			printf("%s%s", first ? "" : ",", runs);
		first = first && !runs;
		free(runs);
	}
	printf("]\n}\n");
}

static size_t count_of(const struct cli_each_report *r, int code)
{
	size_t n = 0;

	for (size_t i = 0; i < r->count; i++)
		n += r->tests[i].code == code;
	return n;
}

static void write_json(const struct cli_each_report *r)
{
	struct strbuf text = STRBUF_INIT;
	struct json_out j;

	json_out_init(&j, &text);
	json_out_object_begin(&j, NULL);
	json_out_string(&j, "command", "check");
	json_out_string(&j, "version", HEDDLE_VERSION);
	json_out_string(&j, "program", r->program);
	json_out_string(&j, "verdict", word_of(r->code));
	json_out_int(&j, "exit_code", r->code);
	json_out_uint(&j, "shard", r->shard);
	json_out_uint(&j, "shards", r->shards);
	json_out_uint(&j, "disabled", r->disabled);
	json_out_array_begin(&j, "tests");
	for (size_t i = 0; i < r->count; i++) {
		const struct cli_each_test *t = &r->tests[i];

		json_out_object_begin(&j, NULL);
		json_out_string(&j, "name", t->name);
		json_out_string(&j, "verdict", word_of(t->code));
		json_out_int(&j, "exit_code", t->code);
		json_out_real(&j, "seconds", (double)t->ns / 1e9);
		if (t->out && t->out[0] == '{')
			json_out_raw(&j, "report", t->out);
		else
			json_out_string(&j, "error", t->verdict);
		json_out_object_end(&j);
	}
	json_out_array_end(&j);
	json_out_object_end(&j);
	printf("%s\n", text.text);
	strbuf_free(&text);
}

static void write_table(const struct cli_each_report *r)
{
	int width = 4;

	for (size_t i = 0; i < r->count; i++) {
		int n = (int)strlen(r->tests[i].name);

		width = n > width ? n : width;
	}
	width = width > NAME_WIDTH ? NAME_WIDTH : width;
	printf("%-*s  %-12s  %7s\n", width, "test", "verdict", "seconds");
	for (size_t i = 0; i < r->count; i++) {
		const struct cli_each_test *t = &r->tests[i];

		printf("%-*s  %-12s  %7.1f  %.*s%s\n", width, t->name, word_of(t->code),
		       (double)t->ns / 1e9, VERDICT_WIDTH, t->verdict,
		       strlen(t->verdict) > VERDICT_WIDTH ? "..." : "");
	}
}

static void add_count(struct strbuf *to, const struct cli_each_report *r, int code)
{
	size_t n = count_of(r, code);

	if (n)
		strbuf_addf(to, ", %zu %s", n,
			    code == CLI_FINDINGS ? "with findings" : word_of(code));
}

static void write_text(const struct cli_each_report *r)
{
	static const int codes[] = {CLI_CLEAN, CLI_FINDINGS, CLI_INCONCLUSIVE, CLI_FAILURE,
				    CLI_USAGE};
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < r->count; i++)
		if (r->tests[i].code != CLI_CLEAN && r->tests[i].out && r->tests[i].out[0])
			printf("== %s\n%s\n", r->tests[i].name, r->tests[i].out);
	if (r->count)
		write_table(r);
	strbuf_addf(&text, "\ncheck: %zu test%s", r->count, r->count == 1 ? "" : "s");
	if (r->shards > 1)
		strbuf_addf(&text, " of %zu (shard %" PRIu64 " of %" PRIu64 ")", r->of, r->shard,
			    r->shards);
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		add_count(&text, r, codes[i]);
	if (r->disabled)
		strbuf_addf(&text, "; %zu disabled", r->disabled);
	printf("%s\n", text.text);
	strbuf_free(&text);
}

void cli_each_report(const struct cli_each_report *r, enum cli_each_format format)
{
	say_errors(r);
	if (format == CLI_EACH_JSON)
		write_json(r);
	else if (format == CLI_EACH_SARIF)
		write_sarif(r);
	else
		write_text(r);
}
