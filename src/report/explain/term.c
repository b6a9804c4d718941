/* An explanation for a person at a terminal: one screen, two columns. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/explain/explain.h"
#include "report/explain/story.h"

#define DEFAULT_WIDTH 100
#define MIN_TWO_COLUMNS 90
#define THREAD_WIDTH 4

static const char *const thread_colors[] = {"36", "33", "35", "32", "34", "31"};

struct page {
	const struct explanation *x;
	const struct report_explain_opts *o;
	struct report_story story;
	struct strbuf *to;
	size_t column;	  /* width of one */
	const char *file; /* all rows are in this one; NULL: in several */
};

static void color(const struct page *p, const char *code)
{
	if (p->o->color)
		strbuf_addf(p->to, "\033[%sm", code);
}

/* Characters that a terminal shows, of well-formed UTF-8. */
static size_t columns_of(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

/* At most `width' columns of the text, filled up with blanks. */
static void add_cell(const struct page *p, const char *text, size_t width)
{
	size_t n = columns_of(text), shown = 0;
	bool cut = n > width;

	for (; *text && (shown < width - (cut ? 3 : 0) || ((unsigned char)*text & 0xc0) == 0x80);
	     text++) {
		shown += ((unsigned char)*text & 0xc0) != 0x80;
		strbuf_add_char(p->to, *text);
	}
	if (cut) {
		strbuf_add(p->to, "...");
		shown += 3;
	}
	for (; shown < width; shown++)
		strbuf_add_char(p->to, ' ');
}

/* ---- paragraphs ---- */

static void add_wrapped(const struct page *p, const char *text, size_t indent)
{
	size_t width = (size_t)p->o->width, at = indent;

	strbuf_addf(p->to, "%*s", (int)indent, "");
	while (*text) {
		size_t word = strcspn(text, " ");

		if (at + word > width && at > indent) {
			strbuf_addf(p->to, "\n%*s", (int)indent, "");
			at = indent;
		}
		strbuf_add_bytes(p->to, text, word);
		at += word;
		text += word;
		if (*text == ' ') {
			text++;
			if (*text && at + 1 + strcspn(text, " ") <= width) {
				strbuf_add_char(p->to, ' ');
				at++;
			} else if (*text) {
				strbuf_addf(p->to, "\n%*s", (int)indent, "");
				at = indent;
			}
		}
	}
	strbuf_add_char(p->to, '\n');
}

static void add_lines(const struct page *p, char *text, size_t indent)
{
	char *end;

	for (; text && *text; text = end) {
		end = strchr(text, '\n');
		if (end)
			*end++ = '\0';
		add_wrapped(p, text, indent);
	}
}

static void add_story(const struct page *p)
{
	struct strbuf text = STRBUF_INIT;

	report_story_lines(&p->story, &text);
	add_lines(p, text.text, 2);
	strbuf_free(&text);
}

/* ---- two columns ---- */

static const char *row_color(const struct explanation_row *row, int side)
{
	if (row->roles & (EXPLAINED_FAILS | EXPLAINED_STUCK))
		return "1;31";
	if (row->roles & (EXPLAINED_GETS | EXPLAINED_GIVES))
		return side == 0 ? "31" : "32";
	return "0";
}

/* ">" gets something else than on the other side, "*" gives it, "!" fails. */
static char mark_of(const struct explanation_row *row)
{
	if (row->roles & (EXPLAINED_FAILS | EXPLAINED_STUCK))
		return '!';
	if (row->roles & EXPLAINED_GETS)
		return '>';
	return row->roles & EXPLAINED_GIVES ? '*' : ' ';
}

static const struct trace_site *site_of(const struct page *p, int side,
					const struct explanation_row *row)
{
	const struct explanation_side *s = report_story_side(&p->story, side);
	uint32_t site =
		row->event == EXPLANATION_NONE
			? s->bundle.threads.items[row->thread].pending_site
			: report_names_site(report_story_names(&p->story, side), row->event);

	return trace_sites_find(&s->bundle.sites, site);
}

/* The line alone when everything is in one file. */
static void add_place(const struct page *p, int side, const struct explanation_row *row,
		      struct strbuf *to)
{
	const struct trace_site *site = site_of(p, side, row);

	if (p->file && site && site->line)
		strbuf_addf(to, ":%-4" PRIu32 " ", site->line);
	else
		report_story_place(&p->story, side, row, to);
	if (!p->file)
		strbuf_add(to, "  ");
}

static const char *common_file(const struct page *p)
{
	const char *file = NULL;

	for (int side = 0; side < (p->x->found ? 2 : 1); side++) {
		const struct explanation_side *s = report_story_side(&p->story, side);

		for (size_t i = 0; i < s->rows.count; i++) {
			const struct trace_site *site = site_of(p, side, &s->rows.items[i]);

			if (!site || !site->line || (file && strcmp(file, site->file) != 0))
				return NULL;
			file = site->file;
		}
	}
	return file;
}

static void add_row(const struct page *p, int side, const struct explanation_row *row)
{
	struct strbuf text = STRBUF_INIT;

	add_place(p, side, row, &text);
	report_story_row(&p->story, side, row, &text);
	strbuf_addf(p->to, "%c ", mark_of(row));
	color(p, thread_colors[row->thread % 6]);
	strbuf_addf(p->to, "T%-*" PRIu32, THREAD_WIDTH - 1, row->thread);
	color(p, "0");
	color(p, row_color(row, side));
	add_cell(p, text.text, p->column - THREAD_WIDTH - 2);
	color(p, "0");
	strbuf_free(&text);
}

/* Line `at' of a side: a row, or how many operations lie before it.  False: there is none. */
struct cursor {
	const struct explanation_side *side;
	size_t row;
	bool told; /* of what was skipped before it */
};

static void add_skipped(const struct page *p, uint32_t n)
{
	char text[40];

	snprintf(text, sizeof(text), "      ... %" PRIu32 " more", n);
	color(p, "2");
	add_cell(p, text, p->column);
	color(p, "0");
}

static bool add_next(const struct page *p, struct cursor *c, int side)
{
	const struct explanation_row *row;

	if (c->row >= c->side->rows.count)
		return false;
	row = &c->side->rows.items[c->row];
	if (row->skipped > 0 && !c->told) {
		c->told = true;
		add_skipped(p, row->skipped);
		return true;
	}
	add_row(p, side, row);
	c->row++;
	c->told = false;
	return true;
}

/* Whoever fails later, elsewhere, has not passed. */
static const char *passes(const struct page *p)
{
	return p->x->clean ? "PASSES" : "GETS PAST IT, FAILS LATER";
}

static void add_headings(const struct page *p, bool two)
{
	const char *base = p->file ? strrchr(p->file, '/') : NULL;
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "FAILS%s%s", p->file ? "  " : "",
		    base      ? base + 1
		    : p->file ? p->file
			      : "");
	color(p, "1;31");
	add_cell(p, text.text, p->column);
	color(p, "0");
	strbuf_free(&text);
	if (two) {
		strbuf_add(p->to, " | ");
		color(p, "1;32");
		strbuf_add(p->to, passes(p));
		color(p, "0");
	}
	strbuf_add_char(p->to, '\n');
}

static void trim(struct strbuf *to)
{
	while (to->length > 0 && to->text[to->length - 1] == ' ')
		to->text[--to->length] = '\0';
}

static void add_columns(const struct page *p)
{
	struct cursor left = {&p->x->failing, 0, false}, right = {&p->x->passing, 0, false};
	bool two = p->x->found;

	add_headings(p, two);
	while (left.row < left.side->rows.count || (two && right.row < right.side->rows.count)) {
		if (!add_next(p, &left, 0))
			add_cell(p, "", p->column);
		if (two) {
			strbuf_add(p->to, " | ");
			add_next(p, &right, 1);
		}
		trim(p->to);
		strbuf_add_char(p->to, '\n');
	}
}

static void add_stacked(const struct page *p)
{
	for (int side = 0; side < (p->x->found ? 2 : 1); side++) {
		struct cursor c = {report_story_side(&p->story, side), 0, false};

		color(p, side == 0 ? "1;31" : "1;32");
		strbuf_add(p->to, side == 0 ? "FAILS" : passes(p));
		color(p, "0");
		strbuf_add_char(p->to, '\n');
		while (add_next(p, &c, side)) {
			trim(p->to);
			strbuf_add_char(p->to, '\n');
		}
	}
}

/* ---- the rest ---- */

static void add_threads(const struct page *p)
{
	struct strbuf text = STRBUF_INIT;
	const struct trace_bundle *b = &p->x->failing.bundle;

	for (uint32_t tid = 0; tid < b->threads.count; tid++) {
		bool shown = false;

		for (size_t i = 0; i < p->x->failing.rows.count && !shown; i++)
			shown = p->x->failing.rows.items[i].thread == tid;
		for (size_t i = 0; i < p->x->passing.rows.count && !shown; i++)
			shown = p->x->passing.rows.items[i].thread == tid;
		if (!shown)
			continue;
		strbuf_add(&text, text.length ? ", " : "threads: ");
		report_names_thread(p->story.failing, tid, &text);
	}
	if (text.length)
		add_wrapped(p, text.text, 0);
	strbuf_free(&text);
}

static void add_figures(const struct page *p)
{
	const struct explanation *x = p->x;
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text,
		    "shown: %zu of %" PRIu32 " operations, %" PRIu32 " of %" PRIu32
		    " data flows; %" PRIu32 " context switches",
		    x->failing.rows.count, x->failing.operations, explanation_root_reads(x),
		    x->failing.flows, x->switches);
	if (x->switches_before > x->switches)
		strbuf_addf(&text, " (reduced from %" PRIu32 ")", x->switches_before);
	if (x->found) {
		strbuf_add(&text, "; the passing schedule ");
		report_story_end(&p->story, &text);
	}
	add_wrapped(p, text.text, 0);
	strbuf_clear(&text);
	report_story_proof(&p->story, &text);
	if (text.length)
		add_wrapped(p, text.text, 0);
	strbuf_free(&text);
}

static void add_advice(const struct page *p)
{
	for (size_t i = 0; i < p->x->advice.count; i++) {
		struct strbuf text = STRBUF_INIT;

		strbuf_add(&text, "advice: ");
		report_story_advice(&p->story, &p->x->advice.items[i], &text);
		add_wrapped(p, text.text, 0);
		strbuf_free(&text);
	}
}

static void add_next_steps(const struct page *p)
{
	const char *dir = p->x->passing.dir;

	strbuf_addf(p->to, "replay:  heddle replay %s\n", p->o->bundle);
	if (dir)
		strbuf_addf(p->to, "passing: heddle replay %s\n", dir);
	strbuf_addf(p->to, "page:    heddle explain --html=why.html %s\n", p->o->bundle);
}

void report_explain_term(const struct explanation *x, const struct report_explain_opts *opts,
			 struct strbuf *to)
{
	struct report_explain_opts o = *opts;
	struct page p = {.x = x, .o = &o, .to = to};
	struct strbuf text = STRBUF_INIT;

	o.width = o.width ? o.width : DEFAULT_WIDTH;
	report_story_init(&p.story, x);
	report_story_headline(&p.story, &text);
	color(&p, "1");
	strbuf_add(to, text.text);
	color(&p, "0");
	strbuf_add_char(to, '\n');
	add_story(&p);
	strbuf_add_char(to, '\n');
	p.file = common_file(&p);
	p.column = x->found && o.width >= MIN_TWO_COLUMNS ? (size_t)(o.width - 3) / 2
							  : (size_t)o.width;
	if (o.width >= MIN_TWO_COLUMNS)
		add_columns(&p);
	else
		add_stacked(&p);
	strbuf_add_char(to, '\n');
	add_threads(&p);
	if (x->found)
		add_figures(&p);
	add_advice(&p);
	add_next_steps(&p);
	strbuf_free(&text);
	report_story_fini(&p.story);
}
