/* What the parts of merging share; see merge.h. */
#ifndef HEDDLE_COOP_MERGE_PRIV_H
#define HEDDLE_COOP_MERGE_PRIV_H

#include "coop/merge.h"

/* A base with what its heuristic makes of it. */
struct coop_ranked {
	uint32_t base;
	double relevance;
};

struct coop_ranking {
	VEC(struct coop_ranked) items; /* best first */
	size_t next;
};

/* Of a missing element not the best alternative, but the rank-th behind it. */
struct coop_turn_down {
	uint32_t missing, rank;
};

/* One way to complete a base: the best alternatives but for a few. */
struct coop_way {
	double score;
	uint32_t base, last; /* only missing elements from `last' on are varied further */
	uint32_t count;
	struct coop_turn_down *down; /* ascending */
};

struct coop_alternative {
	uint32_t kind;
	double fit;
};

/* What a base lacks, and what could stand there: best first. */
struct coop_lack {
	uint32_t base;		/* COOP_NONE: of no base yet */
	VEC(uint32_t) elements; /* the missing ones */
	VEC(uint32_t) first;	/* per missing one, and one more: where its alternatives begin */
	VEC(struct coop_alternative) all;
	double *similar; /* per log */
};

/* All ways to complete all bases, likely ones first. */
struct coop_ways {
	VEC(struct coop_way) heap; /* greatest score on top */
	struct coop_lack lack;	   /* of the base looked at last */
	bool begun;
};

/* Two vectors that do not go together, it seems. */
struct coop_clash {
	uint32_t a, b; /* kinds */
};

struct coop_merge {
	const struct coop_set *set;
	struct coop_merge_opts o;
	enum coop_heuristic heuristic;
	struct rng rng;
	struct coop_ranking sgm, dgm;
	bool dgm_next; /* HYBRID: whose turn it is */
	bool bare;     /* SOLVE: the base comes once more, without its neighbours */
	uint64_t one;  /* ONE: so many combinations of equally good vectors were made */
	bool one_over;
	struct coop_ways ways;
	VEC(uint32_t *) tried;	  /* combinations of kinds */
	VEC(uint32_t *) deferred; /* those with a clash: kinds, then from, then the base */
	size_t deferred_next;
	VEC(struct coop_clash) clashes;
	struct coop_candidate now;
};

/* merge_rank.c */
void coop_rank_similar(struct coop_merge *m);
void coop_rank_disperse(struct coop_merge *m);
/* Completes m->now from its base's neighbours; the mean of their similarities. */
double coop_fill_from_neighbours(struct coop_merge *m, uint32_t base);
void coop_candidate_begin(struct coop_merge *m, uint32_t base);

/* merge_one.c: the next combination of best vectors in m->now; false: there are no more. */
bool coop_one_next(struct coop_merge *m);

/* merge_ways.c: the next way in m->now; false: there are no more. */
bool coop_ways_next(struct coop_merge *m);
void coop_ways_fini(struct coop_ways *w);

#endif
