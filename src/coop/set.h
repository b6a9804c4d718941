/*
 * A set of failing logs to be merged: which have the same vector, how much the vectors of an
 * element differ (dispersion), how similar two logs are.
 *
 * With Equal and Diff the elements that both logs have with equal and with different vectors, S all
 * elements, and disp(s) the share of s in all different vectors:
 *
 *   PSIM = #Equal/#S * (1 - #Diff/#S)
 *   DSIM = sum of disp over Equal * (1 - sum of disp over Diff)
 *   DHS  = sum over common s of hamming(a.s, b.s) * disp(s)
 *
 * hamming() is the share of positions with the same thread, of the longer vector's.
 */
#ifndef HEDDLE_COOP_SET_H
#define HEDDLE_COOP_SET_H

#include "coop/flat.h"
#include "coop/log.h"

#define COOP_NONE UINT32_MAX

enum coop_similarity {
	COOP_DSIM,
	COOP_PSIM,
	COOP_DHS,
};

/* A vector that at least one log has. */
struct coop_kind {
	uint32_t element;
	uint32_t log, vector; /* where it is found first */
	uint32_t logs;	      /* how many have it */
};

struct coop_set {
	uint32_t elements;
	VEC(const struct coop_log *) logs; /* borrowed */
	VEC(struct coop_kind) kinds;	   /* in the order of their elements */
	uint32_t *kind_of;	/* logs by elements: index into kinds, COOP_NONE: not logged */
	uint32_t *first;	/* elements + 1: where the kinds of each begin */
	double *dispersion;	/* per element */
	struct coop_flat *flat; /* of the kinds, for DHS */
};

/*
 * All logs must be of one program; ERR_MISMATCH names the first that is not.  logs are borrowed.
 * *s must be zeroed.
 */
int coop_set_init(struct coop_set *s, const struct coop_log *const *logs, size_t n, struct err *e);
void coop_set_fini(struct coop_set *s);

static inline uint32_t coop_set_kind(const struct coop_set *s, uint32_t log, uint32_t element)
{
	return s->kind_of[(size_t)log * s->elements + element];
}

/* The vector of a kind. */
const struct coop_vector *coop_set_vector(const struct coop_set *s, uint32_t kind);

double coop_set_similarity(const struct coop_set *s, enum coop_similarity how, uint32_t a,
			   uint32_t b);
/* Of an element: different vectors by logs that have it; 0 when none has. */
double coop_set_individual(const struct coop_set *s, uint32_t element);

#endif
