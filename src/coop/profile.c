#include "coop/profile.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct coop_profiler {
	enum coop_policy policy;
	const struct coop_known *known;
	uint32_t size;
	struct rng rng;
	uint32_t *chosen; /* how often each element was */
	uint32_t *pairs;  /* overlap: how often each two were together, n by n */
	uint32_t *order;  /* a permutation, for drawing */
};

uint32_t coop_profile_size(uint32_t n, unsigned percent)
{
	uint64_t size = ((uint64_t)n * percent + 50) / 100;

	assert(n > 0 && percent <= 100);
	return size < 1 ? 1 : (uint32_t)size;
}

struct coop_profiler *coop_profiler_new(enum coop_policy policy, const struct coop_known *known,
					uint32_t size, uint64_t seed)
{
	struct coop_profiler *p = xcalloc(1, sizeof(*p));

	assert(size > 0 && size <= known->n);
	assert(policy != COOP_BALANCED || known->accesses);
	assert(policy != COOP_CORRELATED || known->cluster);
	assert(policy != COOP_DISPERSION || known->dispersion);
	p->policy = policy;
	p->known = known;
	p->size = size;
	rng_seed(&p->rng, seed);
	p->chosen = xcalloc(known->n, sizeof(*p->chosen));
	p->order = xcalloc(known->n, sizeof(*p->order));
	if (policy == COOP_OVERLAP)
		p->pairs = xcalloc((size_t)known->n * known->n, sizeof(*p->pairs));
	return p;
}

void coop_profiler_free(struct coop_profiler *p)
{
	if (!p)
		return;
	free(p->chosen);
	free(p->pairs);
	free(p->order);
	free(p);
}

static void shuffle(struct coop_profiler *p)
{
	uint32_t n = p->known->n;

	for (uint32_t i = 0; i < n; i++)
		p->order[i] = i;
	for (uint32_t i = n; i > 1; i--) {
		uint32_t k = (uint32_t)rng_below(&p->rng, i), kept = p->order[i - 1];

		p->order[i - 1] = p->order[k];
		p->order[k] = kept;
	}
}

/* A stable sort of the shuffled order by a rank, smallest first: ties stay random. */
static void sort_by(struct coop_profiler *p, double (*rank)(const struct coop_profiler *, uint32_t))
{
	for (uint32_t i = 1; i < p->known->n; i++) {
		uint32_t e = p->order[i], k = i;
		double r = rank(p, e);

		for (; k > 0 && rank(p, p->order[k - 1]) > r; k--)
			p->order[k] = p->order[k - 1];
		p->order[k] = e;
	}
}

static double least_chosen(const struct coop_profiler *p, uint32_t e)
{
	return p->chosen[e];
}

static double most_disperse(const struct coop_profiler *p, uint32_t e)
{
	return -p->known->dispersion[e];
}

static void take_first(struct coop_profiler *p, bool *wanted)
{
	for (uint32_t i = 0; i < p->size; i++)
		wanted[p->order[i]] = true;
}

/* Elements as they come while the accesses of all are no more than the share; one in any case. */
static void take_balanced(struct coop_profiler *p, bool *wanted)
{
	const struct coop_known *k = p->known;
	uint64_t all = 0, sum = 0, budget;
	bool any = false;

	sort_by(p, least_chosen);
	for (uint32_t i = 0; i < k->n; i++)
		all += k->accesses[i];
	budget = (uint64_t)((double)all * p->size / k->n);
	for (uint32_t i = 0; i < k->n; i++) {
		uint32_t e = p->order[i];

		if (any && (k->accesses[e] > budget || sum > budget - k->accesses[e]))
			continue;
		wanted[e] = any = true;
		sum += k->accesses[e];
	}
}

/* How often e was together with what is wanted so far. */
static uint64_t together(const struct coop_profiler *p, const bool *wanted, uint32_t e)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < p->known->n; i++)
		if (wanted[i])
			sum += p->pairs[(size_t)e * p->known->n + i];
	return sum;
}

/* One by one what has been together least with the ones already taken. */
static void take_overlap(struct coop_profiler *p, bool *wanted)
{
	uint32_t n = p->known->n;

	sort_by(p, least_chosen);
	wanted[p->order[0]] = true;
	for (uint32_t taken = 1; taken < p->size; taken++) {
		uint64_t best = UINT64_MAX;
		uint32_t which = n;

		for (uint32_t i = 0; i < n; i++) {
			uint32_t e = p->order[i];
			uint64_t sum = wanted[e] ? UINT64_MAX : together(p, wanted, e);

			if (sum < best) {
				best = sum;
				which = e;
			}
		}
		assert(which < n);
		wanted[which] = true;
	}
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++)
			p->pairs[(size_t)a * n + b] += a != b && wanted[a] && wanted[b];
}

/* Whole clusters in random order; the last one in part when it does not fit. */
static void take_clusters(struct coop_profiler *p, bool *wanted)
{
	const struct coop_known *k = p->known;
	uint32_t taken = 0;

	for (uint32_t i = 0; i < k->n && taken < p->size; i++) {
		uint32_t first = p->order[i];

		for (uint32_t j = 0; j < k->n && taken < p->size; j++) {
			uint32_t e = p->order[j];

			if (!wanted[e] && k->cluster[e] == k->cluster[first]) {
				wanted[e] = true;
				taken++;
			}
		}
	}
}

void coop_profiler_next(struct coop_profiler *p, bool *wanted)
{
	memset(wanted, 0, p->known->n * sizeof(*wanted));
	shuffle(p);
	switch (p->policy) {
	case COOP_UNIFORM:
		take_first(p, wanted);
		break;
	case COOP_BALANCED:
		take_balanced(p, wanted);
		break;
	case COOP_OVERLAP:
		take_overlap(p, wanted);
		break;
	case COOP_CORRELATED:
		take_clusters(p, wanted);
		break;
	case COOP_DISPERSION:
		sort_by(p, most_disperse);
		take_first(p, wanted);
		break;
	}
	for (uint32_t i = 0; i < p->known->n; i++)
		p->chosen[i] += wanted[i];
}
