#include "model/analysis.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "heddle-analysis 1"
#define MAX_FIELDS 12

static void place_fini(struct finding_place *p)
{
	free(p->file);
	free(p->function);
	free(p->name);
}

void analysis_fini(struct analysis *a)
{
	findings_fini(&a->findings);
	for (size_t i = 0; i < a->rows.count; i++) {
		free(a->rows.items[i].why);
		free(a->rows.items[i].input);
		free(a->rows.items[i].bundle);
	}
	for (size_t i = 0; i < a->notes.count; i++) {
		free(a->notes.items[i].kind);
		free(a->notes.items[i].what);
		place_fini(&a->notes.items[i].at);
	}
	for (size_t i = 0; i < a->slice.count; i++) {
		free(a->slice.items[i].text);
		place_fini(&a->slice.items[i].at);
	}
	vec_free(&a->rows);
	vec_free(&a->notes);
	vec_free(&a->slice);
}

struct finding *analysis_add(struct analysis *a, const char *rule, enum analysis_class class,
			     const char *message)
{
	struct analysis_row row = {.class = class};

	vec_push(&a->rows, row);
	return findings_add(&a->findings, rule,
			    class == ANALYSIS_IMPOSSIBLE ? FINDING_EXCLUDED : FINDING_WARNING,
			    message);
}

void analysis_drop(struct analysis *a)
{
	struct findings last = {NULL, 0, 0};

	free(vec_last(&a->rows).why);
	free(vec_last(&a->rows).input);
	free(vec_last(&a->rows).bundle);
	(void)vec_pop(&a->rows);
	vec_push(&last, vec_pop(&a->findings));
	findings_fini(&last);
}

void analysis_note(struct analysis *a, const char *kind, const char *what, struct finding_place at)
{
	struct analysis_note n = {xstrdup(kind), xstrdup(what), at};

	vec_push(&a->notes, n);
}

static const char *const classes[] = {
	[ANALYSIS_POSSIBLE] = "possible",
	[ANALYSIS_INPUT] = "input-dependent",
	[ANALYSIS_IMPOSSIBLE] = "impossible",
};

const char *analysis_class_name(enum analysis_class class)
{
	return classes[class];
}

/* ---- writing ---- */

/* Behind a tab; what would end a field or a line is written with a backslash. */
static void add_text(struct strbuf *to, const char *text)
{
	strbuf_add_char(to, '\t');
	for (; text && *text; text++) {
		if (*text == '\t')
			strbuf_add(to, "\\t");
		else if (*text == '\n')
			strbuf_add(to, "\\n");
		else if (*text == '\\')
			strbuf_add(to, "\\\\");
		else
			strbuf_add_char(to, *text);
	}
}

static void add_place(struct strbuf *to, const struct finding_place *p)
{
	add_text(to, p->file);
	strbuf_addf(to, "\t%" PRIu64 "\t%" PRIu64, p->line, p->column);
	add_text(to, p->function);
}

static void write_event(const struct finding_event *e, struct strbuf *to)
{
	strbuf_add(to, "event");
	add_place(to, &e->at);
	add_text(to, e->text);
	add_text(to, e->thread);
	add_text(to, e->object);
	add_text(to, e->held);
	add_text(to, e->operation);
	add_text(to, e->created);
	strbuf_add_char(to, '\n');
	for (size_t i = 0; i < e->stack.count; i++) {
		strbuf_add(to, "frame");
		add_place(to, &e->stack.items[i]);
		strbuf_add_char(to, '\n');
	}
}

static void write_finding(const struct finding *f, const struct analysis_row *row,
			  struct strbuf *to)
{
	strbuf_add(to, "finding");
	add_text(to, f->rule);
	add_text(to, classes[row->class]);
	add_text(to, f->message);
	add_text(to, row->why);
	add_text(to, row->input);
	strbuf_addf(to, "\t%" PRIu64 "\n", row->contexts);
	for (size_t i = 0; i < f->events.count; i++)
		write_event(&f->events.items[i], to);
}

void analysis_write(const struct analysis *a, struct strbuf *to)
{
	strbuf_add(to, HEAD "\n");
	for (size_t i = 0; i < a->findings.count; i++)
		write_finding(&a->findings.items[i], &a->rows.items[i], to);
	for (size_t i = 0; i < a->notes.count; i++) {
		strbuf_add(to, "note");
		add_place(to, &a->notes.items[i].at);
		add_text(to, a->notes.items[i].kind);
		add_text(to, a->notes.items[i].what);
		strbuf_add_char(to, '\n');
	}
	for (size_t i = 0; i < a->slice.count; i++) {
		strbuf_add(to, "slice");
		add_place(to, &a->slice.items[i].at);
		add_text(to, a->slice.items[i].text);
		strbuf_add_char(to, '\n');
	}
#define X(name) strbuf_addf(to, "count\t" #name "\t%" PRIu64 "\n", a->name);
	ANALYSIS_COUNTS(X)
#undef X
	strbuf_add(to, "end\n");
}

/* ---- reading ---- */

struct line {
	char *fields[MAX_FIELDS];
	size_t count;
};

/* In place: fields end with NUL. */
static int split(char *at, struct line *l, struct err *e)
{
	char *to = at;

	l->count = 0;
	l->fields[l->count++] = at;
	for (; *at; at++) {
		if (*at == '\t') {
			*to++ = '\0';
			if (l->count == MAX_FIELDS)
				return err_set(e, ERR_FORMAT, "a line with too many fields");
			l->fields[l->count++] = to;
		} else if (*at == '\\' && at[1]) {
			at++;
			*to++ = (char)(*at == 't' ? '\t' : *at == 'n' ? '\n' : *at);
		} else {
			*to++ = *at;
		}
	}
	*to = '\0';
	return 0;
}

static const char *text_or_null(const char *text)
{
	return *text ? text : NULL;
}

static char *copy_or_null(const char *text)
{
	return *text ? xstrdup(text) : NULL;
}

/* Without a file there is no line of it, whatever was read. */
static struct finding_place read_place(char *const *fields)
{
	const char *file = text_or_null(fields[0]);

	return finding_place(file, file ? strtoull(fields[1], NULL, 10) : 0,
			     file ? strtoull(fields[2], NULL, 10) : 0, text_or_null(fields[3]));
}

/* Findings keep only words that are there for ever. */
static const char *known_word(const char *word)
{
	static const char *const words[] = {"race", "deadlock", "use-after-free", "uninitialised",
					    "read", "write",	"atomic read",	  "atomic write",
					    "free", "lock"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i], word))
			return words[i];
	return NULL;
}

static int read_finding(struct analysis *a, const struct line *l, struct err *e)
{
	const char *rule = l->count == 7 ? known_word(l->fields[1]) : NULL;
	struct analysis_row *row;

	if (!rule)
		return err_set(e, ERR_FORMAT, "a finding of no kind");
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (strcmp(classes[i], l->fields[2]) != 0)
			continue;
		analysis_add(a, rule, (enum analysis_class)i, l->fields[3]);
		row = &vec_last(&a->rows);
		row->why = copy_or_null(l->fields[4]);
		row->input = copy_or_null(l->fields[5]);
		row->contexts = strtoull(l->fields[6], NULL, 10);
		return 0;
	}
	return err_set(e, ERR_FORMAT, "a finding of no class");
}

static int read_event(struct analysis *a, const struct line *l, struct err *e)
{
	struct finding_event *x;

	if (l->count != 11 || !a->findings.count)
		return err_set(e, ERR_FORMAT, "an event out of place");
	x = finding_add_event(&vec_last(&a->findings), l->fields[5], read_place(&l->fields[1]));
	x->thread = copy_or_null(l->fields[6]);
	x->object = copy_or_null(l->fields[7]);
	x->held = copy_or_null(l->fields[8]);
	x->operation = known_word(l->fields[9]);
	x->created = copy_or_null(l->fields[10]);
	return 0;
}

static int read_frame(struct analysis *a, const struct line *l, struct err *e)
{
	struct finding *f = a->findings.count ? &vec_last(&a->findings) : NULL;

	if (l->count != 5 || !f || !f->events.count)
		return err_set(e, ERR_FORMAT, "a frame out of place");
	vec_push(&vec_last(&f->events).stack, read_place(&l->fields[1]));
	return 0;
}

static int read_line(struct analysis *a, const struct line *l, struct err *e)
{
	const char *word = l->fields[0];

	if (!strcmp(word, "finding"))
		return read_finding(a, l, e);
	if (!strcmp(word, "event"))
		return read_event(a, l, e);
	if (!strcmp(word, "frame"))
		return read_frame(a, l, e);
	if (!strcmp(word, "note") && l->count == 7) {
		analysis_note(a, l->fields[5], l->fields[6], read_place(&l->fields[1]));
		return 0;
	}
	if (!strcmp(word, "slice") && l->count == 6) {
		struct analysis_line x = {read_place(&l->fields[1]), xstrdup(l->fields[5])};

		vec_push(&a->slice, x);
		return 0;
	}
#define X(name)                                                                                    \
	if (!strcmp(word, "count") && l->count == 3 && !strcmp(l->fields[1], #name)) {             \
		a->name = strtoull(l->fields[2], NULL, 10);                                        \
		return 0;                                                                          \
	}
	ANALYSIS_COUNTS(X)
#undef X
	return err_set(e, ERR_FORMAT, "a line of no kind");
}

int analysis_read(struct analysis *a, const char *text, size_t bytes, struct err *e)
{
	char *copy = xstrndup(text, bytes), *at = copy;
	bool head = false, end = false;
	int rc = 0;

	memset(a, 0, sizeof(*a));
	while (rc == 0 && *at && !end) {
		char *next = strchr(at, '\n');
		struct line l;

		if (!next) {
			rc = err_set(e, ERR_FORMAT, "a line without an end");
			break;
		}
		*next = '\0';
		if (!head)
			rc = strcmp(at, HEAD) ? err_set(e, ERR_FORMAT, "not an analysis") : 0;
		else if (!strcmp(at, "end"))
			end = true;
		else if ((rc = split(at, &l, e)) == 0)
			rc = read_line(a, &l, e);
		head = true;
		at = next + 1;
	}
	if (rc == 0 && !end)
		rc = err_set(e, ERR_FORMAT, "the analysis ends early");
	free(copy);
	if (rc != 0) {
		analysis_fini(a);
		memset(a, 0, sizeof(*a));
	}
	return rc;
}
