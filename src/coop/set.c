#include "coop/set.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* The kind of a log's vector of an element; a new one when no log before had it. */
static uint32_t find_kind(struct coop_set *s, uint32_t log, const struct coop_vector *v)
{
	const struct coop_log *l = s->logs.items[log];

	assert(v >= l->vectors.items && v < l->vectors.items + l->vectors.count);
	for (size_t i = s->first[v->element]; i < s->kinds.count; i++) {
		struct coop_kind *k = &s->kinds.items[i];
		const struct coop_log *other = s->logs.items[k->log];

		if (coop_vector_equal(l, v, other, &other->vectors.items[k->vector])) {
			k->logs++;
			return (uint32_t)i;
		}
	}
	vec_push(&s->kinds, ((struct coop_kind){.element = v->element,
						.log = log,
						.vector = (uint32_t)(v - l->vectors.items),
						.logs = 1}));
	return (uint32_t)s->kinds.count - 1;
}

static int check_alike(const struct coop_set *s, struct err *e)
{
	const struct coop_log *first = s->logs.items[0];

	for (size_t i = 1; i < s->logs.count; i++) {
		const struct coop_log *l = s->logs.items[i];

		if (memcmp(l->build, first->build, sizeof(l->build)) != 0 ||
		    l->elements != first->elements || l->flavour != first->flavour)
			return err_set(e, ERR_MISMATCH,
				       "the log of run %016" PRIx64
				       " is of another build than that of run %016" PRIx64,
				       l->run_id, first->run_id);
		if (strcmp(l->signature, first->signature) != 0)
			return err_set(e, ERR_MISMATCH, "two failures: \"%s\" and \"%s\"",
				       first->signature, l->signature);
	}
	return 0;
}

int coop_set_init(struct coop_set *s, const struct coop_log *const *logs, size_t n, struct err *e)
{
	int rc;

	assert(n > 0);
	for (size_t i = 0; i < n; i++)
		vec_push(&s->logs, logs[i]);
	rc = check_alike(s, e);
	if (rc) {
		vec_free(&s->logs);
		return rc;
	}
	s->elements = logs[0]->elements;
	s->kind_of = xcalloc(n * s->elements + 1, sizeof(*s->kind_of));
	s->first = xcalloc((size_t)s->elements + 1, sizeof(*s->first));
	s->dispersion = xcalloc((size_t)s->elements + 1, sizeof(*s->dispersion));
	for (uint32_t element = 0; element < s->elements; element++) {
		s->first[element] = (uint32_t)s->kinds.count;
		for (uint32_t l = 0; l < n; l++) {
			const struct coop_vector *v = coop_log_vector(logs[l], element);

			s->kind_of[(size_t)l * s->elements + element] =
				v ? find_kind(s, l, v) : COOP_NONE;
		}
	}
	s->first[s->elements] = (uint32_t)s->kinds.count;
	assert(s->kinds.count <= n * s->elements);
	s->flat = coop_flat_new(s->kinds.count);
	for (uint32_t i = 0; i < s->elements && s->kinds.count; i++)
		s->dispersion[i] = (double)(s->first[i + 1] - s->first[i]) / (double)s->kinds.count;
	return 0;
}

void coop_set_fini(struct coop_set *s)
{
	vec_free(&s->logs);
	vec_free(&s->kinds);
	coop_flat_free(s->flat);
	free(s->kind_of);
	free(s->first);
	free(s->dispersion);
	memset(s, 0, sizeof(*s));
}

const struct coop_vector *coop_set_vector(const struct coop_set *s, uint32_t kind)
{
	const struct coop_kind *k = &s->kinds.items[kind];

	assert(kind < s->kinds.count);
	return &s->logs.items[k->log]->vectors.items[k->vector];
}

double coop_set_individual(const struct coop_set *s, uint32_t element)
{
	uint32_t all = 0;

	assert(element < s->elements);
	for (uint32_t i = s->first[element]; i < s->first[element + 1]; i++)
		all += s->kinds.items[i].logs;
	return all ? (double)(s->first[element + 1] - s->first[element]) / all : 0;
}

/* The share of positions that agree, by runs: both are walked in steps of the shorter rest. */
static double hamming(const struct coop_log *a, const struct coop_vector *u,
		      const struct coop_log *b, const struct coop_vector *v)
{
	uint64_t longer = u->accesses > v->accesses ? u->accesses : v->accesses, same = 0;
	uint64_t left_u = 0, left_v = 0;
	size_t i = 0, k = 0;

	if (longer == 0)
		return 1;
	while (i < u->runs.count && k < v->runs.count) {
		uint64_t rest_u = u->runs.items[i].length - left_u;
		uint64_t rest_v = v->runs.items[k].length - left_v;
		uint64_t step = rest_u < rest_v ? rest_u : rest_v;

		if (!strcmp(a->threads.items[u->runs.items[i].thread],
			    b->threads.items[v->runs.items[k].thread]))
			same += step;
		left_u += step;
		left_v += step;
		assert(step > 0);
		if (step == rest_u) {
			i++;
			left_u = 0;
		}
		if (step == rest_v) {
			k++;
			left_v = 0;
		}
	}
	assert(same <= longer);
	return (double)same / (double)longer;
}

/* The same of two kinds. */
static double hamming_of(const struct coop_set *s, uint32_t x, uint32_t y)
{
	const struct coop_vector *u = coop_set_vector(s, x), *v = coop_set_vector(s, y);
	const struct coop_log *a = s->logs.items[s->kinds.items[x].log];
	const struct coop_log *b = s->logs.items[s->kinds.items[y].log];
	const uint8_t *p = coop_flat_of(s->flat, x, a, u), *q = coop_flat_of(s->flat, y, b, v);
	bool shorter = u->accesses < v->accesses;

	assert(x != y && s->kinds.items[x].element == s->kinds.items[y].element);
	if (!p || !q)
		return hamming(a, u, b, v);
	return (double)coop_flat_same(p, q, shorter ? u->accesses : v->accesses) /
	       (double)(shorter ? v->accesses : u->accesses);
}

static double hamming_similarity(const struct coop_set *s, uint32_t a, uint32_t b)
{
	double sum = 0;

	for (uint32_t i = 0; i < s->elements; i++) {
		uint32_t x = coop_set_kind(s, a, i), y = coop_set_kind(s, b, i);

		if (x == COOP_NONE || y == COOP_NONE)
			continue;
		sum += s->dispersion[i] * (x == y ? 1 : hamming_of(s, x, y));
	}
	return sum;
}

double coop_set_similarity(const struct coop_set *s, enum coop_similarity how, uint32_t a,
			   uint32_t b)
{
	double equal = 0, different = 0;

	assert(a < s->logs.count && b < s->logs.count);
	if (how == COOP_DHS)
		return hamming_similarity(s, a, b);
	for (uint32_t i = 0; i < s->elements; i++) {
		uint32_t x = coop_set_kind(s, a, i), y = coop_set_kind(s, b, i);
		double weight = how == COOP_PSIM ? 1.0 / s->elements : s->dispersion[i];

		if (x == COOP_NONE || y == COOP_NONE)
			continue;
		if (x == y)
			equal += weight;
		else
			different += weight;
	}
	return equal * (1 - different);
}
