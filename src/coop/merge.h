/*
 * Complete logs out of partial ones: candidates in the order in which they are worth a try.
 *
 * A candidate is a base log with its missing elements taken from other logs, the most similar that
 * have them (its neighbours).  SGM ranks bases by the mean similarity of their neighbours, DGM by
 * the dispersion of what they have themselves; HYBRID takes from both in turn; ONE takes for every
 * element the vector that goes with failing best (F-score against logs of runs that passed), for
 * logs of one element each, which have nothing in common; AUTO chooses.  When they are used up,
 * every base is completed in every way, likely ones first.  SOLVE: a log's own orders are
 * constraints, those of its neighbours soft ones, which whoever carries them out keeps to as far as
 * they go together; what the program does between them is its own.  Every base comes without
 * neighbours, too: where no two runs are alike those mislead.
 *
 * No combination comes twice.  What was found stuck is remembered: combinations with the same two
 * vectors come last.
 */
#ifndef HEDDLE_COOP_MERGE_H
#define HEDDLE_COOP_MERGE_H

#include "base/rng.h"
#include "coop/set.h"

enum coop_heuristic {
	COOP_AUTO,
	COOP_SGM,
	COOP_DGM,
	COOP_ONE,
	COOP_HYBRID,
	COOP_SOLVE,
};

struct coop_merge_opts {
	enum coop_heuristic heuristic;
	enum coop_similarity similarity;
	/* Logs of passing runs, for ONE and as a tie-break; borrowed. */
	const struct coop_log *const *passed;
	size_t passed_count;
	/* SOLVE: elements that are accessed where it failed; bases that have them come first.
	 * Borrowed, may be NULL. */
	const bool *near;
	/* Ties: by the order of the logs, or drawn. */
	bool random;
	uint64_t seed;
};

enum coop_bond {
	COOP_HARD,	  /* all orders must be kept to */
	COOP_SOFT_OTHERS, /* those of the base must */
};

struct coop_candidate {
	enum coop_bond bond;
	uint32_t base;	  /* COOP_NONE: of no log */
	double relevance; /* by its heuristic */
	uint32_t *kinds;  /* per element: which vector, COOP_NONE when no log has one */
	uint32_t *from;	  /* per element: the log it is from, COOP_NONE */
};

struct coop_merge;

/* s is borrowed. */
struct coop_merge *coop_merge_new(const struct coop_set *s, const struct coop_merge_opts *o);
void coop_merge_free(struct coop_merge *m);

/* The next candidate, valid until the next call; NULL when every combination was tried. */
const struct coop_candidate *coop_merge_next(struct coop_merge *m);

/* The last candidate got stuck between these two elements. */
void coop_merge_stuck(struct coop_merge *m, uint32_t element, uint32_t other);

/* A candidate with these two kinds got stuck between them; COOP_NONE: of no log. */
void coop_merge_clash(struct coop_merge *m, uint32_t kind, uint32_t other);

/* What AUTO has chosen, or what was asked for. */
enum coop_heuristic coop_merge_heuristic(const struct coop_merge *m);
const char *coop_heuristic_name(enum coop_heuristic h);

/*
 * How well a vector goes with failing: the harmonic mean of F(v)/F and F(v)/(F(v) + P(v)), where of
 * `failed' failing logs that have the element `failed_with' have the vector, and `passed_with'
 * passing ones.
 */
double coop_correlation(uint64_t failed_with, uint64_t failed, uint64_t passed_with);

#endif
