/* Logs that have nothing in common: the vector of each element that goes with failing best. */
#include <assert.h>

#include "coop/merge_priv.h"

double coop_correlation(uint64_t failed_with, uint64_t failed, uint64_t passed_with)
{
	double sensitivity, specificity;

	assert(failed_with <= failed);
	if (failed_with == 0)
		return 0;
	sensitivity = (double)failed_with / (double)failed;
	specificity = (double)failed_with / (double)(failed_with + passed_with);
	return 2 / (1 / sensitivity + 1 / specificity);
}

static uint64_t passed_with(const struct coop_merge *m, uint32_t kind)
{
	const struct coop_kind *k = &m->set->kinds.items[kind];
	const struct coop_log *of = m->set->logs.items[k->log];
	uint64_t n = 0;

	for (size_t i = 0; i < m->o.passed_count; i++) {
		const struct coop_log *l = m->o.passed[i];
		const struct coop_vector *v = coop_log_vector(l, k->element);

		n += v && coop_vector_equal(l, v, of, coop_set_vector(m->set, kind));
	}
	return n;
}

static double correlation(const struct coop_merge *m, uint32_t kind)
{
	const struct coop_set *s = m->set;
	uint32_t element = s->kinds.items[kind].element;
	uint64_t failed = 0;

	for (uint32_t i = s->first[element]; i < s->first[element + 1]; i++)
		failed += s->kinds.items[i].logs;
	assert(failed > 0 && failed <= s->logs.count);
	return coop_correlation(s->kinds.items[kind].logs, failed, passed_with(m, kind));
}

/* The best kinds of an element, all that are equally good. */
static size_t best_of(const struct coop_merge *m, uint32_t element, uint32_t *out)
{
	const struct coop_set *s = m->set;
	double best = -1;
	size_t n = 0;

	for (uint32_t i = s->first[element]; i < s->first[element + 1]; i++) {
		double c = correlation(m, i);

		assert(c >= 0 && c <= 1 && s->kinds.items[i].element == element);
		if (c > best) {
			best = c;
			n = 0;
		}
		if (c == best)
			out[n++] = i;
	}
	return n;
}

/* The combination number m->one, in mixed radix over the equally good vectors of each element. */
bool coop_one_next(struct coop_merge *m)
{
	const struct coop_set *s = m->set;
	uint32_t *best = xcalloc(s->kinds.count + 1, sizeof(*best));
	uint64_t rest = m->one++;

	m->now.base = COOP_NONE;
	m->now.relevance = 0;
	for (uint32_t i = 0; i < s->elements; i++) {
		size_t n = best_of(m, i, best);

		m->now.kinds[i] = m->now.from[i] = COOP_NONE;
		if (n == 0)
			continue;
		assert(n <= s->first[i + 1] - s->first[i]);
		m->now.kinds[i] = best[rest % n];
		m->now.from[i] = s->kinds.items[best[rest % n]].log;
		rest /= n;
	}
	free(best);
	return rest == 0;
}
