/* An explanation as a graph for Graphviz: two clusters, a column per thread, time downwards. */
#include <inttypes.h>

#include "report/explain/explain.h"
#include "report/explain/story.h"

static void add_escaped(struct strbuf *to, const char *text)
{
	for (; text && *text; text++) {
		if (*text == '"' || *text == '\\')
			strbuf_add_char(to, '\\');
		strbuf_add_char(to, (unsigned char)*text < ' ' ? ' ' : *text);
	}
}

static const char *style_of(const struct explanation_row *row, int side)
{
	if (row->roles & (EXPLAINED_FAILS | EXPLAINED_STUCK))
		return "color=red, penwidth=2";
	if (row->roles & (EXPLAINED_GETS | EXPLAINED_GIVES))
		return side == 0 ? "color=\"#b3261e\"" : "color=\"#1b6e3c\"";
	return "color=gray40";
}

static void add_node(const struct report_story *s, int side, size_t at, struct strbuf *to)
{
	const struct explanation_row *row = &report_story_side(s, side)->rows.items[at];
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "T%" PRIu32 " ", row->thread);
	report_story_place(s, side, row, &text);
	strbuf_add_char(&text, ' ');
	report_story_row(s, side, row, &text);
	strbuf_addf(to, "    n%d_%zu [label=\"", side, at);
	add_escaped(to, text.text);
	strbuf_addf(to, "\", group=t%d_%" PRIu32 ", %s];\n", side, row->thread,
		    style_of(row, side));
	strbuf_free(&text);
}

static uint32_t row_of(const struct explanation_side *side, uint32_t event)
{
	for (uint32_t i = 0; i < side->rows.count && event != EXPLANATION_NONE; i++)
		if (side->rows.items[i].event == event)
			return i;
	return EXPLANATION_NONE;
}

static void add_flows(const struct report_story *s, int side, struct strbuf *to)
{
	const struct explanation_side *x = report_story_side(s, side);

	for (size_t i = 0; i < s->x->flows.count; i++) {
		const struct explanation_flow *f = &s->x->flows.items[i];
		uint32_t from = row_of(x, f->from[side]), at = row_of(x, f->to[side]);
		struct strbuf name = STRBUF_INIT;

		if (!f->root || from == EXPLANATION_NONE || at == EXPLANATION_NONE)
			continue;
		report_story_subject(s, f, &name);
		strbuf_addf(to,
			    "    n%d_%" PRIu32 " -> n%d_%" PRIu32
			    " [constraint=false, color=%s, label=\"",
			    side, from, side, at, side == 0 ? "\"#b3261e\"" : "\"#1b6e3c\"");
		add_escaped(to, name.text);
		strbuf_add(to, "\"];\n");
		strbuf_free(&name);
	}
}

static void add_side(const struct report_story *s, int side, struct strbuf *to)
{
	const struct explanation_side *x = report_story_side(s, side);

	strbuf_addf(to, "  subgraph cluster_%d {\n    label=\"%s\";\n", side,
		    side == 0 ? "FAILS" : "PASSES");
	for (size_t i = 0; i < x->rows.count; i++)
		add_node(s, side, i, to);
	for (size_t i = 1; i < x->rows.count; i++)
		strbuf_addf(to,
			    "    n%d_%zu -> n%d_%zu [style=%s%s, arrowhead=none, color=gray70];\n",
			    side, i - 1, side, i, x->rows.items[i].skipped ? "dotted" : "solid",
			    x->rows.items[i].skipped ? ", label=\"...\"" : "");
	add_flows(s, side, to);
	strbuf_add(to, "  }\n");
}

static void add_twins(const struct report_story *s, struct strbuf *to)
{
	for (size_t i = 0; i < s->x->failing.rows.count && s->x->found; i++) {
		const struct explanation_row *row = &s->x->failing.rows.items[i];

		if (row->twin != EXPLANATION_NONE && (row->roles & EXPLAINED_GETS))
			strbuf_addf(to,
				    "  n0_%zu -> n1_%" PRIu32
				    " [style=dashed, constraint=false, dir=none];\n",
				    i, row->twin);
	}
}

void report_explain_dot(const struct explanation *x, struct strbuf *to)
{
	struct report_story s;

	report_story_init(&s, x);
	strbuf_add(to, "digraph explanation {\n  node [shape=box, fontname=\"monospace\", "
		       "fontsize=10];\n  edge [fontname=\"monospace\", fontsize=9];\n");
	add_side(&s, 0, to);
	if (x->found)
		add_side(&s, 1, to);
	add_twins(&s, to);
	strbuf_add(to, "}\n");
	report_story_fini(&s);
}
