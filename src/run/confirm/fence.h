/*
 * Does a failure need weak memory, and which fences would remove it?
 *
 * Whether it needs it: the failing execution comes with as few late stores as possible
 * (run/confirm/hasten.h).  None left: it is an execution of sequential consistency.  Otherwise the caller's
 * search looks for the failure under SC, and, when it was found under PSO, under TSO.
 *
 * Which fences: every failing execution breaks some fences (model/delay.h), and a cure must have
 * one of them.  So: take a smallest set of fences that hits every failing execution seen so far,
 * and let the caller's search look for a failure with them.  A new failing execution adds a clause
 * that the set does not hit, and the next set is computed; when none is found, the set is the
 * advice. It is smallest because every smaller set leaves one of the executions seen; that it is
 * enough rests on the last search, and the advice says how hard that one looked.
 *
 * Failures that show under SC as well (of other kinds, at other places) are passed over: fences do
 * not help against them.
 */
#ifndef HEDDLE_RUN_FENCE_H
#define HEDDLE_RUN_FENCE_H

#include "model/weak.h"
#include "run/confirm/confirm.h"
#include "run/confirm/simplify.h"

struct run_fence_query {
	uint32_t model; /* enum wire_model */
	unsigned fence_count;
	const struct wire_fence *fences; /* go into struct wire_job */
	const uint64_t *passed;		 /* keys (run_result_key()) of failures that do not count */
	size_t passed_count;
	bool all; /* do not end at the first failure: the keys of all of them are wanted */
};

struct run_fence_answer {
	struct model_search effort; /* what was looked at, also when something was found */
	VEC(uint64_t) keys;	    /* of all failures seen */
	bool found;		    /* one that counts */
	uint64_t key;		    /* its key */
	struct wire_job job;	    /* of the run that showed it */
	struct model_schedule schedule;
};

/*
 * Looks for a failure.  *a is zeroed; vectors belong to the asker.  An error ends the advice; so
 * does effort.kind == SEARCH_NONE with nothing found (the search was interrupted).
 */
typedef int (*run_fence_fn)(void *arg, const struct run_fence_query *q, struct run_fence_answer *a,
			    struct err *e);

/*
 * What the searches under the stronger models found, kept from one failure of a program to the
 * next.  Zeroed before the first one; end it with run_fence_cache_fini().
 */
struct run_fence_cache {
	struct {
		bool is_there;
		struct model_search effort;
		VEC(uint64_t) keys;
	} models[MODEL_COUNT];
};

void run_fence_cache_fini(struct run_fence_cache *c);

struct run_fence_opts {
	struct run_again again; /* job: of the run that failed, under TSO or PSO */
	const char *program;	/* path, for the names of sites */
	uint64_t key;
	run_fence_fn search;
	void *arg;
	struct run_fence_cache *cache; /* may be NULL */
	unsigned max_searches;	       /* 0: 64 */
	const struct limit *limit;     /* no search is begun when it is reached; may be NULL */
};

/*
 * r: the failing execution with its events, as run_hasten() leaves it.  Fills *out.  Under SC there
 * is nothing to say: out->found is MODEL_SC.  Uses o->again.guest, so a bundle of the execution
 * must have been taken before.
 */
int run_fence_advise(const struct run_fence_opts *o, const struct run_result *r,
		     struct model_weak *out, struct err *e);

void run_fence_answer_free(struct run_fence_answer *a);

#endif
