#include "coop/signature.h"

#include <stdlib.h>
#include <string.h>

#define FIELDS 6
#define SEPARATOR " | "
#define KINDS (RECORD_FAIL_KILLED + 1)

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* One line, and no separator in it. */
static void add_field(struct strbuf *to, const char *text)
{
	for (; text && *text; text++)
		strbuf_add_char(to, *text == '|' || (unsigned char)*text < ' ' ? ' ' : *text);
}

static void add_waits(const struct trace_recording *r, struct strbuf *to)
{
	uint32_t at[RECORD_AT_MAX] = {0};
	bool any = false;

	for (size_t i = 0; i < r->tasks.count; i++) {
		const struct record_thread *t = &r->tasks.items[i].row;

		if (t->state == RECORD_THREAD_RUNS && t->waits_on && t->waits_at < RECORD_AT_MAX)
			at[t->waits_at]++;
	}
	/* Who waits for others to end is there or not, by chance. */
	for (unsigned k = 1; k < RECORD_AT_MAX; k++) {
		if (!at[k] || k == RECORD_AT_JOIN)
			continue;
		strbuf_addf(to, "%s%u %u", any ? " " : "", k, at[k]);
		any = true;
	}
}

/* "prog: prog.c:31: push: Assertion `n < SIZE' failed.": what was asserted. */
static void add_text(const struct trace_recording *r, struct strbuf *to)
{
	const char *from = strchr(r->failure.text, '`'), *end;
	char *part;

	if (r->failure.kind != RECORD_FAIL_ASSERT)
		return;
	end = from ? strrchr(from, '\'') : NULL;
	part = end ? xstrndup(from + 1, (size_t)(end - from - 1)) : NULL;
	add_field(to, part ? part : r->failure.text);
	free(part);
}

void coop_signature_make(const struct trace_recording *r, struct strbuf *to)
{
	if (r->failure.kind == RECORD_FAIL_NONE)
		return;
	strbuf_addf(to, "%s" SEPARATOR "%d" SEPARATOR, trace_record_failure_name(r->failure.kind),
		    r->failure.signal);
	/* Which of the threads was seen first in a deadlock is chance, too. */
	if (r->failure.kind != RECORD_FAIL_DEADLOCK) {
		add_field(to, base_name(r->place.file ? r->place.file : ""));
		strbuf_addf(to, SEPARATOR "%u" SEPARATOR, r->place.line);
		add_field(to, r->place.function);
		strbuf_add(to, SEPARATOR);
		add_text(r, to);
	} else {
		strbuf_add(to, SEPARATOR "0" SEPARATOR SEPARATOR);
		add_waits(r, to);
	}
}

static int parse_waits(const char *text, struct trace_recording *r)
{
	while (*text) {
		char *end;
		unsigned long kind = strtoul(text, &end, 10), n = strtoul(end, &end, 10);

		if (end == text || kind >= RECORD_AT_MAX || n > RECORD_MAX_THREADS - r->tasks.count)
			return -1;
		for (unsigned long i = 0; i < n; i++)
			vec_push(&r->tasks,
				 ((struct trace_task){.row = {.state = RECORD_THREAD_RUNS,
							      .waits_on = 1,
							      .waits_at = (uint32_t)kind}}));
		text = end + (*end == ' ');
	}
	return 0;
}

static int split(char *line, char **fields)
{
	size_t n = strlen(SEPARATOR);

	for (int i = 0; i < FIELDS; i++) {
		char *end = strstr(line, SEPARATOR);

		fields[i] = line;
		if (i == FIELDS - 1)
			return end ? -1 : 0;
		if (!end)
			return -1;
		*end = '\0';
		line = end + n;
	}
	return -1;
}

int coop_signature_parse(const char *line, struct trace_recording *r, struct err *e)
{
	char *copy = xstrdup(line), *fields[FIELDS];
	unsigned kind = RECORD_FAIL_NONE + 1;
	int rc = split(copy, fields);

	while (!rc && kind < KINDS && strcmp(trace_record_failure_name(kind), fields[0]) != 0)
		kind++;
	if (!rc && kind < KINDS) {
		r->failure.kind = kind;
		r->failure.signal = atoi(fields[1]);
		r->failure.thread = RECORD_NO_THREAD;
		r->place.file = xstrdup(fields[2]);
		r->place.line = (uint32_t)strtoul(fields[3], NULL, 10);
		r->place.function = xstrdup(fields[4]);
		if (kind == RECORD_FAIL_DEADLOCK)
			rc = parse_waits(fields[5], r);
		else
			strncpy(r->failure.text, fields[5], sizeof(r->failure.text) - 1);
	} else {
		rc = -1;
	}
	free(copy);
	return rc ? err_set(e, ERR_FORMAT, "'%s' describes no failure", line) : 0;
}

static void say_waits(const struct trace_recording *r, struct strbuf *to)
{
	static const struct {
		unsigned at;
		const char *what;
	} kinds[] = {{RECORD_AT_LOCK, "for a lock"},
		     {RECORD_AT_WAIT, "to be woken"},
		     {RECORD_AT_WAKE, "to be woken"},
		     {RECORD_AT_BARRIER, "at a barrier"}};
	const char *before = ": ";

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		unsigned n = 0;

		for (size_t i = 0; i < r->tasks.count; i++)
			n += r->tasks.items[i].row.waits_at == kinds[k].at;
		if (!n)
			continue;
		strbuf_addf(to, "%s%u thread%s %s", before, n, n == 1 ? " waits" : "s wait",
			    kinds[k].what);
		before = ", ";
	}
}

void coop_signature_say(const char *line, struct strbuf *to)
{
	struct trace_recording r = TRACE_RECORDING_INIT;
	struct err e = ERR_INIT;

	if (coop_signature_parse(line, &r, &e)) {
		strbuf_add(to, line);
		trace_recording_fini(&r);
		return;
	}
	strbuf_add(to, trace_record_failure_name(r.failure.kind));
	if (r.failure.kind == RECORD_FAIL_SIGNAL || r.failure.kind == RECORD_FAIL_KILLED)
		strbuf_addf(to, " %d (%s)", r.failure.signal, strsignal(r.failure.signal));
	if (r.failure.text[0])
		strbuf_addf(to, " %s", r.failure.text);
	if (*r.place.file)
		strbuf_addf(to, " at %s:%u", r.place.file, r.place.line);
	if (*r.place.function)
		strbuf_addf(to, " in %s", r.place.function);
	say_waits(&r, to);
	trace_recording_fini(&r);
}
