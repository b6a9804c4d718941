/* Methods and solvers side by side. */
#include <assert.h>
#include <inttypes.h>

#include "report/prediction.h"

static double each(double seconds, uint64_t n)
{
	return n > 0 ? seconds * 1e3 / (double)n : 0;
}

static void add_totals(const struct prediction_table *t, struct strbuf *to)
{
	strbuf_addf(to, "%-24s %19zu", "total", t->rows.count);
	for (unsigned m = 0; m < t->methods; m++)
		strbuf_addf(to, " %5" PRIu64, t->yes[m]);
	strbuf_addf(to, "\n%-24s %19s", "unknown", "");
	for (unsigned m = 0; m < t->methods; m++)
		strbuf_addf(to, " %5" PRIu64, t->unknown[m]);
	strbuf_addf(to, "\n%-24s %19s", "ms per check", "");
	for (unsigned m = 0; m < t->methods; m++)
		strbuf_addf(to, " %5.2f", each(t->seconds[m], t->rows.count));
	strbuf_add_char(to, '\n');
	if (t->left_out > 0)
		strbuf_addf(to, "%" PRIu64 " candidates over the limit are not shown\n",
			    t->left_out);
}

void report_prediction_table(const struct prediction *p, struct strbuf *to)
{
	const struct prediction_table *t = p->table;

	assert(t && t->methods <= PREDICTION_METHODS);
	strbuf_addf(to, "%-24s %9s %9s", p->file, "a", "b");
	for (unsigned m = 0; m < t->methods; m++)
		strbuf_addf(to, " %5s", t->method[m]);
	strbuf_add_char(to, '\n');
	for (size_t i = 0; i < t->rows.count; i++) {
		const struct prediction_row *row = &t->rows.items[i];

		strbuf_addf(to, "%-24s", row->name);
		if (row->pair)
			strbuf_addf(to, " %9" PRIu64 " %9" PRIu64, row->a, row->b);
		else
			strbuf_addf(to, " %19s", row->kind);
		for (unsigned m = 0; m < t->methods; m++)
			strbuf_addf(to, " %5c", row->cells[m]);
		strbuf_addf(to, "  %s/%s\n", row->stages[0], row->stages[1]);
	}
	add_totals(t, to);
}

void report_prediction_versus(const struct prediction *p, struct strbuf *to)
{
	const struct prediction_versus *v = p->versus;

	assert(v);
	strbuf_addf(to,
		    "%s: %" PRIu64 " of %" PRIu64 " race questions, %" PRIu64 " feasible, %" PRIu64
		    " unknown, the same answers\n",
		    v->name, v->questions, v->candidates, v->feasible, v->unknown);
	strbuf_addf(to, "  its formula: %u points, %u clauses, built in %.1f ms\n", v->points,
		    v->clauses, v->encode * 1e3);
	strbuf_addf(to,
		    "  ms/question: decision procedure %.4f, %s %.4f in one session, %.4f with a "
		    "new solver each\n",
		    each(v->own, v->questions), v->name, each(v->session, v->questions),
		    each(v->fresh, v->fresh_questions));
	strbuf_addf(to, "  ratio: %.0f times faster than %s\n", prediction_versus_ratio(v),
		    v->name);
}
