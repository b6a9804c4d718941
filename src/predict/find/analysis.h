/*
 * One analysis of one trace: candidates of every kind that was asked for, decided and grouped by
 * source location; and the questions of the user.
 *
 * Each candidate is decided under CDSR first.  Only when that refutes it and a wider model was
 * asked for, the branch model and CSR are tried in this order, so a finding says the narrowest
 * model that has it.  "cdsr" and "branch" findings are executions the program can have; a "csr"
 * finding holds only if the threads do not coordinate through memory.
 */
#ifndef HEDDLE_PREDICT_ANALYSIS_H
#define HEDDLE_PREDICT_ANALYSIS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "predict/find/ask.h"
#include "predict/order/decide.h"
#include "predict/order/question.h"

struct predict_opts {
	struct predict_limits limits;
	enum predict_model model; /* widest one that counts */
	bool races, deadlocks, atomicity;
	bool all; /* every event pair, not one per pair of source locations */
	bool strict_targets;
	uint32_t distance;   /* of read-write pairs taken as atomic, 0 = none */
	uint64_t pair_limit; /* candidates looked at per location or pattern */
};

#define PREDICT_OPTS_INIT                                                                          \
	{                                                                                          \
		PREDICT_LIMITS_INIT, MODEL_CDSR, true, true, true, false, false, 0, 1000000        \
	}

/* A schedule as it is kept: executed events are prefixes of threads, so runs of threads say it all.
 */
struct predict_run {
	uint32_t thread, count;
};

struct predict_finding {
	enum predict_kind kind;
	enum predict_model model; /* that the verdict was reached in */
	enum predict_answer answer;
	enum predict_stage stage;
	uint32_t depth;
	uint8_t block;		      /* atomicity: enum predict_block */
	char *name;		      /* asked questions: their name; NULL otherwise */
	struct predict_events events; /* a b; requests; a c b; a sequence */
	VEC(struct predict_run) runs; /* witness */
	uint64_t steps;		      /* events in it */
	uint64_t tuples;	      /* event tuples of this group that were decided */
	uint64_t feasible;	      /* of them */
	bool suppressed;
	bool confirmed;	    /* the program was run along the witness and got there */
	char *confirmation; /* what came of running it; NULL when it was not run */
	char *bundle;	    /* recording of that run, when it was kept */
};

struct predict_totals {
	uint64_t candidates; /* by the filter */
	uint64_t ordered;    /* of them excluded by the hard order without a question */
	uint64_t decided[3]; /* by enum predict_answer */
	uint64_t skipped;    /* same source locations as a finding */
	uint64_t left_out;   /* over the limit: unknown */
	uint32_t cut_at;     /* deadlocks: cycles of so many locks were not all listed, 0 = all */
};

struct predict_result {
	VEC(struct predict_finding)
	findings;			 /* FEASIBLE and UNKNOWN groups, asked ones in any case */
	struct predict_totals totals[4]; /* by enum predict_kind */
	bool to_confirm;		 /* the feasible findings were to be run */
	char *not_run;			 /* why none was, NULL when they were */
};

/* How many findings are feasible (and not suppressed), were run, and got there. */
struct predict_confirmed {
	uint64_t feasible, run, confirmed;
};

#define PREDICT_RESULT_INIT                                                                        \
	{                                                                                          \
		VEC_INIT, {{0}}, false, NULL                                                       \
	}

/* engine's limits are set from opts; asks may be NULL. */
int predict_analyse(struct predict_engine *engine, const struct predict_opts *opts,
		    const struct predict_asks *asks, struct predict_result *out, struct err *e);
/* The witness event by event; *out is overwritten. */
void predict_finding_witness(const struct predict_finding *f, const struct predict_trace *t,
			     struct predict_order *out);
struct predict_confirmed predict_result_confirmed(const struct predict_result *r);
void predict_result_fini(struct predict_result *r);

#endif
