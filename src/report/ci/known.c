#include "report/ci/known.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/mem.h"
#include "base/pattern.h"

#define LARGEST_LIST ((size_t)16 << 20)
#define LARGEST_SOURCE ((size_t)64 << 20)
#define HEADING "# heddle baseline 1"

/* ---- files ---- */

struct lines {
	char *text, *at;
	unsigned number;
};

static int open_lines(struct lines *l, const char *path, struct err *e)
{
	size_t bytes;
	int rc = fs_read_file(path, LARGEST_LIST, &l->text, &bytes, e);

	l->at = l->text;
	l->number = 0;
	if (rc == 0 && strlen(l->text) != bytes) {
		free(l->text);
		rc = err_set(e, ERR_FORMAT, "%s: not a text", path);
	}
	return rc;
}

/* The next line without blanks around it; NULL at the end. */
static char *next_line(struct lines *l)
{
	char *line = l->at, *end;

	if (!*line)
		return NULL;
	l->at += strcspn(l->at, "\n");
	end = l->at;
	if (*l->at)
		l->at++;
	while (end > line && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	l->number++;
	return line + strspn(line, " \t");
}

int report_known_suppressions(struct report_known *k, const char *path, struct err *e)
{
	struct lines l;
	int rc = open_lines(&l, path, e);
	char *line;

	if (rc != 0)
		return rc;
	while (rc == 0 && (line = next_line(&l)) != NULL) {
		char *colon = strchr(line, ':');

		if (!*line || *line == '#')
			continue;
		if (!colon || colon == line || !colon[1])
			rc = err_set(e, ERR_FORMAT, "%s:%u: not \"kind:pattern\"", path, l.number);
		else
			vec_push(&k->suppressions, xstrdup(line));
	}
	free(l.text);
	return rc;
}

int report_known_baseline(struct report_known *k, const char *path, struct err *e)
{
	struct lines l;
	int rc = open_lines(&l, path, e);
	char *line;

	if (rc != 0)
		return rc;
	line = next_line(&l);
	if (!line || strcmp(line, HEADING) != 0)
		rc = err_set(e, ERR_FORMAT, "%s: not a baseline of heddle", path);
	while (rc == 0 && (line = next_line(&l)) != NULL)
		if (*line && *line != '#')
			vec_push(&k->baseline, xstrdup(line));
	free(l.text);
	return rc;
}

void report_known_fini(struct report_known *k)
{
	for (size_t i = 0; i < k->suppressions.count; i++)
		free(k->suppressions.items[i]);
	for (size_t i = 0; i < k->baseline.count; i++)
		free(k->baseline.items[i]);
	vec_free(&k->suppressions);
	vec_free(&k->baseline);
}

/* ---- places ---- */

/* The text of a line of the source, blanks between words as one; nothing when it cannot be read. */
static bool add_code(const struct finding_place *p, struct strbuf *to)
{
	struct err e = ERR_INIT;
	char *text = NULL, *at;
	size_t bytes;
	bool space = false;

	if (!p->file || !p->line || fs_read_file(p->file, LARGEST_SOURCE, &text, &bytes, &e) != 0)
		return false;
	at = text;
	for (uint64_t i = 1; i < p->line && *at; i++) {
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
	at += strspn(at, " \t");
	for (; *at && *at != '\n'; at++) {
		if (isspace((unsigned char)*at)) {
			space = true;
			continue;
		}
		if (space)
			strbuf_add_char(to, ' ');
		space = false;
		strbuf_add_char(to, *at);
	}
	free(text);
	return true;
}

/* A line of a baseline is one line. */
static void add_plain(struct strbuf *to, const char *text)
{
	for (; text && *text; text++)
		strbuf_add_char(to, iscntrl((unsigned char)*text) ? '?' : *text);
}

static void add_place(const struct finding_place *p, struct strbuf *to)
{
	struct strbuf code = STRBUF_INIT;
	const char *slash = p->file ? strrchr(p->file, '/') : NULL;

	strbuf_add(to, " | ");
	add_plain(to, slash ? slash + 1 : p->file);
	strbuf_add_char(to, ' ');
	add_plain(to, p->function ? p->function : "-");
	if (add_code(p, &code)) {
		strbuf_add(to, ": ");
		add_plain(to, code.text);
	} else {
		strbuf_addf(to, " line %" PRIu64, p->line);
	}
	strbuf_free(&code);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Which thread met the other first is not what it is about: places are sorted. */
void report_known_line(const struct finding *f, struct strbuf *to)
{
	VEC(char *) places = VEC_INIT;

	for (size_t i = 0; i < f->events.count; i++) {
		struct strbuf text = STRBUF_INIT;

		add_place(&f->events.items[i].at, &text);
		vec_push(&places, strbuf_take(&text));
	}
	if (places.count)
		qsort(places.items, places.count, sizeof(*places.items), compare);
	add_plain(to, f->rule);
	if (!places.count)
		add_plain(to, f->message);
	for (size_t i = 0; i < places.count; i++) {
		strbuf_add(to, places.items[i]);
		free(places.items[i]);
	}
	vec_free(&places);
}

void report_known_write(const struct findings *all, struct strbuf *to)
{
	VEC(char *) lines = VEC_INIT;

	for (size_t i = 0; i < all->count; i++) {
		struct strbuf text = STRBUF_INIT;

		report_known_line(&all->items[i], &text);
		vec_push(&lines, strbuf_take(&text));
	}
	if (lines.count)
		qsort(lines.items, lines.count, sizeof(*lines.items), compare);
	strbuf_add(to, HEADING "\n");
	for (size_t i = 0; i < lines.count; i++)
		if (i == 0 || strcmp(lines.items[i], lines.items[i - 1]) != 0)
			strbuf_addf(to, "%s\n", lines.items[i]);
	for (size_t i = 0; i < lines.count; i++)
		free(lines.items[i]);
	vec_free(&lines);
}

/* ---- matching ---- */

static bool place_matches(const struct finding_place *p, const char *pattern)
{
	char *place;
	bool found;

	if (p->function && pattern_match(pattern, p->function))
		return true;
	if (!p->file)
		return false;
	place = xasprintf("%s:%" PRIu64, p->file, p->line);
	found = pattern_match(pattern, place);
	free(place);
	return found;
}

static bool event_matches(const struct finding_event *v, const char *pattern)
{
	if (place_matches(&v->at, pattern) || pattern_match(pattern, v->text) ||
	    (v->object && pattern_match(pattern, v->object)))
		return true;
	for (size_t i = 0; i < v->stack.count; i++)
		if (place_matches(&v->stack.items[i], pattern))
			return true;
	return false;
}

static bool is_suppressed(const char *line, const struct finding *f)
{
	const char *colon = strchr(line, ':');
	size_t n = (size_t)(colon - line);

	if (!(n == 1 && *line == '*') && !(strlen(f->rule) == n && strncmp(f->rule, line, n) == 0))
		return false;
	if (pattern_match(colon + 1, f->message))
		return true;
	for (size_t i = 0; i < f->events.count; i++)
		if (event_matches(&f->events.items[i], colon + 1))
			return true;
	return false;
}

bool report_known_has(const struct report_known *k, const struct finding *f)
{
	struct strbuf line = STRBUF_INIT;
	bool found = false;

	for (size_t i = 0; i < k->suppressions.count && !found; i++)
		found = is_suppressed(k->suppressions.items[i], f);
	if (k->baseline.count && !found)
		report_known_line(f, &line);
	for (size_t i = 0; i < k->baseline.count && !found; i++)
		found = strcmp(k->baseline.items[i], line.text) == 0;
	strbuf_free(&line);
	return found;
}
