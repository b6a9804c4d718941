#include "model/prediction.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"

struct finding_prediction *prediction_new(const char *title)
{
	struct finding_prediction *p = xcalloc(1, sizeof(*p));

	assert(title);
	p->title = xstrdup(title);
	return p;
}

void prediction_free(struct finding_prediction *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->witness.count; i++)
		free(p->witness.items[i].text);
	vec_free(&p->witness);
	vec_free(&p->runs);
	free(p->name);
	free(p->title);
	free(p->why);
	free(p->confirmation);
	free(p);
}

static double each(double seconds, uint64_t n)
{
	return n > 0 ? seconds / (double)n : 0;
}

double prediction_versus_ratio(const struct prediction_versus *v)
{
	double session = each(v->session, v->questions), fresh = each(v->fresh, v->fresh_questions);
	double own = each(v->own, v->questions);

	if (v->questions == 0 || own <= 0)
		return 0;
	return (session < fresh ? session : fresh) / own;
}

static void table_free(struct prediction_table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->rows.count; i++)
		free(t->rows.items[i].name);
	vec_free(&t->rows);
	free(t);
}

void prediction_fini(struct prediction *p)
{
	for (size_t i = 0; i < p->threads.count; i++)
		free(p->threads.items[i]);
	vec_free(&p->threads);
	for (size_t i = 0; i < p->warnings.count; i++)
		free(p->warnings.items[i].text);
	vec_free(&p->warnings);
	vec_free(&p->stages);
	findings_fini(&p->findings);
	free(p->confirmed.not_run);
	table_free(p->table);
	p->confirmed.not_run = NULL;
	p->table = NULL;
}
