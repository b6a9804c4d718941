/*
 * An explanation as one page: the files of src/report/assets and the data they show.
 *
 * The data is JSON: title, story, advice, proof, figures, commands; threads by number; files, sites
 * ([file, line]), sources (by file: line -> text); words ([thread, site, text, addr, op], pack.h);
 * sides: pieces, rows ([operation, roles, twin, text, place, thread]), end; flows.
 */
#include <inttypes.h>
#include <string.h>

#include "report/explain/assets.h"
#include "report/explain/explain.h"
#include "report/explain/pack.h"
#include "report/source.h"

/* Lines of source kept around each line that is shown. */
#define AROUND 4

struct page {
	const struct explanation *x;
	const struct report_explain_opts *o;
	struct report_story story;
	struct pack pack;
	struct strbuf *to;
};

/* A string as JSON that can stand in a script element. */
static void add_string(struct strbuf *to, const char *text)
{
	strbuf_add_char(to, '"');
	for (const unsigned char *c = (const unsigned char *)(text ? text : ""); *c; c++) {
		if (*c == '"' || *c == '\\')
			strbuf_addf(to, "\\%c", *c);
		else if (*c < ' ' || *c == '<' || *c == '>' || *c == '&' || *c >= 0x7f)
			strbuf_addf(to, "\\u%04x", *c < 0x80 ? *c : 0xfffd);
		else
			strbuf_add_char(to, (char)*c);
	}
	strbuf_add_char(to, '"');
}

static void add_member(struct page *p, const char *name, struct strbuf *text)
{
	strbuf_addf(p->to, "\"%s\":", name);
	add_string(p->to, text->text);
	strbuf_add_char(p->to, ',');
	strbuf_clear(text);
}

static int number(uint32_t n)
{
	return n == UINT32_MAX ? -1 : (int)n;
}

/* ---- words about it ---- */

static void add_lines(struct page *p, const char *name, const char *text)
{
	bool first = true;

	strbuf_addf(p->to, "\"%s\":[", name);
	while (text && *text) {
		size_t n = strcspn(text, "\n");
		char *line = xstrndup(text, n);

		if (!first)
			strbuf_add_char(p->to, ',');
		first = false;
		add_string(p->to, line);
		free(line);
		text += n + (text[n] == '\n');
	}
	strbuf_add(p->to, "],");
}

static void add_advice(struct page *p)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_add(p->to, "\"advice\":[");
	for (size_t i = 0; i < p->x->advice.count; i++) {
		if (i)
			strbuf_add_char(p->to, ',');
		report_story_advice(&p->story, &p->x->advice.items[i], &text);
		add_string(p->to, text.text);
		strbuf_clear(&text);
	}
	strbuf_add(p->to, "],");
	strbuf_free(&text);
}

static void add_commands(struct page *p)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "heddle replay %s\nheddle replay --gdb %s\n", p->o->bundle,
		    p->o->bundle);
	if (p->x->passing.dir)
		strbuf_addf(&text, "heddle replay %s\n", p->x->passing.dir);
	add_lines(p, "commands", text.text);
	strbuf_free(&text);
}

static void add_words_about(struct page *p)
{
	struct strbuf text = STRBUF_INIT;

	report_story_headline(&p->story, &text);
	add_member(p, "title", &text);
	report_story_lines(&p->story, &text);
	if (p->x->reason[0])
		strbuf_addf(&text, "%s\n", p->x->reason);
	add_lines(p, "story", text.text);
	strbuf_clear(&text);
	report_story_proof(&p->story, &text);
	add_member(p, "proof", &text);
	strbuf_addf(&text,
		    "%zu of %" PRIu32 " operations matter, %" PRIu32 " of %" PRIu32 " data flows",
		    p->x->failing.rows.count, p->x->failing.operations,
		    explanation_root_reads(p->x), p->x->failing.flows);
	add_member(p, "figures", &text);
	add_advice(p);
	add_commands(p);
	strbuf_free(&text);
}

/* ---- tables ---- */

static void add_threads(struct page *p)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_add(p->to, "\"threads\":[");
	for (uint32_t i = 0; i < p->x->failing.bundle.threads.count; i++) {
		if (i)
			strbuf_add_char(p->to, ',');
		report_names_thread(p->story.failing, i, &text);
		add_string(p->to, text.text);
		strbuf_clear(&text);
	}
	strbuf_add(p->to, "],");
	strbuf_free(&text);
}

static void add_words(struct page *p)
{
	strbuf_add(p->to, "\"words\":[");
	for (size_t i = 0; i < p->pack.words.count; i++) {
		const struct pack_word *w = &p->pack.words.items[i];

		strbuf_addf(p->to, "%s[%" PRIu32 ",%d,", i ? "," : "", w->thread, number(w->site));
		add_string(p->to, w->text);
		strbuf_addf(p->to, ",%d,%u]", number(w->addr), w->op);
	}
	strbuf_add(p->to, "],");
}

static size_t file_number(struct page *p, const char *file)
{
	for (size_t i = 0; i < p->pack.files.count; i++)
		if (strcmp(p->pack.files.items[i], file) == 0)
			return i;
	vec_push(&p->pack.files, file);
	return p->pack.files.count - 1;
}

static void add_sites(struct page *p)
{
	strbuf_add(p->to, "\"sites\":[");
	for (size_t i = 0; i < p->pack.sites.count; i++)
		strbuf_addf(p->to, "%s[%zu,%" PRIu32 "]", i ? "," : "",
			    file_number(p, p->pack.sites.items[i]->file),
			    p->pack.sites.items[i]->line);
	strbuf_add(p->to, "],\"files\":[");
	for (size_t i = 0; i < p->pack.files.count; i++) {
		if (i)
			strbuf_add_char(p->to, ',');
		add_string(p->to, p->pack.files.items[i]);
	}
	strbuf_add(p->to, "],");
}

/* ---- source ---- */

static bool is_wanted(const struct page *p, const char *file, uint32_t line)
{
	for (int side = 0; side < (p->x->found ? 2 : 1); side++) {
		const struct explanation_side *s = report_story_side(&p->story, side);

		for (size_t i = 0; i < s->rows.count; i++) {
			const struct explanation_row *row = &s->rows.items[i];
			uint32_t id =
				row->event == EXPLANATION_NONE
					? s->bundle.threads.items[row->thread].pending_site
					: report_names_site(report_story_names(&p->story, side),
							    row->event);
			const struct trace_site *t = trace_sites_find(&s->bundle.sites, id);

			if (t && strcmp(t->file, file) == 0 && line + AROUND >= t->line &&
			    line <= t->line + AROUND)
				return true;
		}
	}
	return false;
}

static void add_source(struct page *p, struct report_source *source, size_t file)
{
	const struct trace_site *any = NULL;
	uint32_t last = 0;
	bool first = true;

	for (size_t i = 0; i < p->pack.sites.count; i++) {
		const struct trace_site *s = p->pack.sites.items[i];

		if (strcmp(s->file, p->pack.files.items[file]) != 0)
			continue;
		any = s;
		last = s->line > last ? s->line : last;
	}
	for (uint32_t line = 1; any && line <= last + AROUND; line++) {
		struct trace_site at = *any;
		const char *text;

		at.line = line;
		if (!is_wanted(p, any->file, line) || !(text = report_source_text(source, &at)))
			continue;
		strbuf_addf(p->to, "%s\"%" PRIu32 "\":", first ? "" : ",", line);
		add_string(p->to, text);
		first = false;
	}
}

static void add_sources(struct page *p)
{
	struct report_source *source = report_source_new();

	strbuf_add(p->to, "\"sources\":[");
	for (size_t i = 0; i < p->pack.files.count; i++) {
		strbuf_add(p->to, i ? ",{" : "{");
		add_source(p, source, i);
		strbuf_add_char(p->to, '}');
	}
	strbuf_add(p->to, "],");
	report_source_free(source);
}

/* ---- sides ---- */

static bool same_op(const struct page *p, size_t a, size_t b)
{
	const struct pack_op *x = &p->pack.ops[0].items[a], *y = &p->pack.ops[1].items[b];

	return x->word == y->word &&
	       (x->value && y->value ? strcmp(x->value, y->value) == 0 : x->value == y->value);
}

/* How many operations from a of the failing and b of the passing side on are the same. */
static size_t same_from(const struct page *p, size_t a, size_t b)
{
	size_t n = 0;

	while (a + n < p->pack.ops[0].count && b + n < p->pack.ops[1].count &&
	       same_op(p, a + n, b + n))
		n++;
	return n;
}

#define SHORT_PIECE 3
#define LOOK_AROUND 600

/* The longest stretch of the failing side that goes on here, looked for around where it was left.
 */
static size_t find_same(const struct page *p, size_t near, size_t b, size_t *length)
{
	size_t from = near > LOOK_AROUND ? near - LOOK_AROUND : 0, best = 0;

	*length = 0;
	for (size_t a = from; a < near + LOOK_AROUND && a < p->pack.ops[0].count; a++) {
		size_t n = same_from(p, a, b);

		if (n > *length) {
			*length = n;
			best = a;
		}
	}
	return best;
}

static void add_own(struct page *p, int side, size_t from, size_t to)
{
	strbuf_add(p->to, "[[");
	for (size_t i = from; i < to; i++) {
		const struct pack_op *op = &p->pack.ops[side].items[i];

		strbuf_addf(p->to, "%s%" PRIu32 ",", i > from ? "," : "", op->word);
		if (op->value)
			add_string(p->to, op->value);
		else
			strbuf_add_char(p->to, '0');
	}
	strbuf_add(p->to, "]]");
}

static void add_passing_pieces(struct page *p)
{
	size_t n = p->pack.ops[1].count, at = 0, own = 0, near = 0;
	bool first = true;

	while (at <= n) {
		size_t length = 0, a = at < n ? find_same(p, near, at, &length) : 0;

		if (at < n && length < SHORT_PIECE) {
			at++;
			continue;
		}
		if (at > own) {
			strbuf_add(p->to, first ? "" : ",");
			add_own(p, 1, own, at);
			first = false;
		}
		if (at == n)
			break;
		strbuf_addf(p->to, "%s[%zu,%zu]", first ? "" : ",", a, length);
		first = false;
		at += length;
		near = a + length;
		own = at;
	}
}

static void add_row(struct page *p, int side, size_t at, uint32_t beyond)
{
	const struct explanation_side *s = report_story_side(&p->story, side);
	const struct explanation_row *row = &s->rows.items[at];
	uint32_t op = pack_find(&p->pack, side, row->event), twin = UINT32_MAX;
	struct strbuf text = STRBUF_INIT;

	if (op == UINT32_MAX)
		op = (uint32_t)p->pack.ops[side].count + beyond;
	if (row->twin != EXPLANATION_NONE)
		twin = pack_find(
			&p->pack, 1 - side,
			report_story_side(&p->story, 1 - side)->rows.items[row->twin].event);
	strbuf_addf(p->to, "%s[%" PRIu32 ",%" PRIu32 ",%d,", at ? "," : "", op, row->roles,
		    number(twin));
	report_story_row(&p->story, side, row, &text);
	add_string(p->to, text.text);
	strbuf_add_char(p->to, ',');
	strbuf_clear(&text);
	report_story_place(&p->story, side, row, &text);
	add_string(p->to, text.text);
	strbuf_addf(p->to, ",%" PRIu32 "]", row->thread);
	strbuf_free(&text);
}

static void add_side(struct page *p, int side)
{
	const struct explanation_side *s = report_story_side(&p->story, side);
	struct strbuf end = STRBUF_INIT;

	strbuf_add(p->to, "{\"pieces\":[");
	if (side == 0)
		add_own(p, 0, 0, p->pack.ops[0].count);
	else
		add_passing_pieces(p);
	strbuf_add(p->to, "],\"rows\":[");
	for (size_t i = 0; i < s->rows.count; i++)
		add_row(p, side, i, (uint32_t)i);
	strbuf_add(p->to, "],\"end\":");
	if (side == 1)
		report_story_end(&p->story, &end);
	add_string(p->to, end.text);
	strbuf_add(p->to, "}");
	strbuf_free(&end);
}

static void add_flows(struct page *p)
{
	bool first = true;

	strbuf_add(p->to, "],\"flows\":[");
	for (size_t i = 0; i < p->x->flows.count; i++) {
		const struct explanation_flow *f = &p->x->flows.items[i];

		strbuf_addf(p->to, "%s{\"root\":%s,\"same\":%s,\"to\":[%d,%d],\"from\":[%d,%d]}",
			    first ? "" : ",", f->root ? "true" : "false",
			    f->same ? "true" : "false", number(pack_find(&p->pack, 0, f->to[0])),
			    number(pack_find(&p->pack, 1, f->to[1])),
			    number(pack_find(&p->pack, 0, f->from[0])),
			    number(pack_find(&p->pack, 1, f->from[1])));
		first = false;
	}
	strbuf_add(p->to, "]}");
}

static void add_data(struct page *p)
{
	strbuf_add_char(p->to, '{');
	add_words_about(p);
	add_threads(p);
	add_words(p);
	add_sites(p);
	add_sources(p);
	strbuf_add(p->to, "\"sides\":[");
	add_side(p, 0);
	if (p->x->found) {
		strbuf_add_char(p->to, ',');
		add_side(p, 1);
	}
	add_flows(p);
}

void report_explain_html(const struct explanation *x, const struct report_explain_opts *o,
			 struct strbuf *to)
{
	struct page p = {.x = x, .o = o, .to = to};

	report_story_init(&p.story, x);
	pack_init(&p.pack, &p.story);
	strbuf_add(to, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
		       "<meta name=\"viewport\" content=\"width=device-width\">"
		       "<title>heddle explain</title>\n<style>\n");
	strbuf_add(to, report_asset_explain_css);
	strbuf_add(to, "</style></head><body>\n");
	strbuf_add(to, report_asset_explain_html);
	strbuf_add(to, "<script type=\"application/json\" id=\"data\">");
	add_data(&p);
	strbuf_add(to, "</script>\n<script>\n");
	strbuf_add(to, report_asset_explain_js);
	strbuf_add(to, "</script></body></html>\n");
	pack_fini(&p.pack);
	report_story_fini(&p.story);
}
