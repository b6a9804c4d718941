/*
 * How long it takes to rank logs: rank LOGS ELEMENTS ACCESSES.  Every log is of a run of its own:
 * two threads take turns, a few accesses at a time, so that no two vectors are equal and none is
 * short. Prints seconds for each share of elements and each similarity.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/rng.h"
#include "coop/merge.h"
#include "coop/profile.h"

static struct coop_log *make(uint32_t elements, uint64_t accesses, unsigned percent,
			     struct rng *rng)
{
	struct coop_log *l = xcalloc(1, sizeof(*l));
	struct coop_known known = {.n = elements};
	bool *wanted = xcalloc(elements, sizeof(*wanted));
	struct coop_profiler *p = coop_profiler_new(
		COOP_UNIFORM, &known, coop_profile_size(elements, percent), rng_next(rng));

	*l = (struct coop_log){.outcome = COOP_CRASH, .elements = elements};
	l->signature = xstrdup("assertion | 6 | rank.c | 1 | main | x");
	coop_log_thread(l, "0:1");
	coop_log_thread(l, "0:2");
	coop_profiler_next(p, wanted);
	for (uint32_t e = 0; e < elements; e++) {
		struct coop_vector *v = wanted[e] ? coop_log_add(l, e) : NULL;

		for (uint64_t n = 0, step; v && n < accesses / elements; n += step) {
			step = 1 + rng_below(rng, 4);
			coop_vector_push(v, rng_below(rng, 2), step);
		}
		if (v)
			coop_vector_seal(l, v);
	}
	coop_profiler_free(p);
	free(wanted);
	return l;
}

int main(int argc, char **argv)
{
	static const unsigned percents[] = {25, 50, 75};
	static const enum coop_similarity ways[] = {COOP_PSIM, COOP_DSIM, COOP_DHS};
	size_t n = argc > 3 ? strtoul(argv[1], NULL, 10) : 500;
	uint32_t elements = argc > 3 ? (uint32_t)atoi(argv[2]) : 6;
	uint64_t accesses = argc > 3 ? strtoull(argv[3], NULL, 10) : 130597;

	for (size_t k = 0; k < 3; k++) {
		const struct coop_log **logs = xcalloc(n, sizeof(*logs));
		struct coop_set s = {.elements = 0};
		struct err e = ERR_INIT;
		struct rng rng;
		double begin;

		rng_seed(&rng, k + 1);
		for (size_t i = 0; i < n; i++)
			logs[i] = make(elements, accesses, percents[k], &rng);
		begin = clock_now();
		if (coop_set_init(&s, logs, n, &e))
			return 3;
		printf("%u%%: set %.3f", percents[k], clock_now() - begin);
		for (size_t w = 0; w < 3; w++) {
			struct coop_merge_opts o = {.heuristic = COOP_SGM, .similarity = ways[w]};

			begin = clock_now();
			coop_merge_free(coop_merge_new(&s, &o));
			printf(" %s %.3f", (const char *[]){"psim", "dsim", "dhs"}[w],
			       clock_now() - begin);
		}
		printf("\n");
		coop_set_fini(&s);
		for (size_t i = 0; i < n; i++)
			coop_log_fini((struct coop_log *)logs[i]);
		free(logs);
	}
	return 0;
}
