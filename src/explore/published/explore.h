/*
 * Exploration of all behaviours of a program: each algorithm runs the program again and again under
 * prefixes of its choice until it knows that no execution can show anything new.
 *
 * Two executions are alike when the same reads returned the same values (a state).
 */
#ifndef HEDDLE_EXPLORE_EXPLORE_H
#define HEDDLE_EXPLORE_EXPLORE_H

#include "explore/published/executor.h"
#include "solve/backend.h"

enum explore_algorithm {
	EXPLORE_COMPLETE,  /* frozen values, every state once: complete.c */
	EXPLORE_CLASSIC,   /* frozen prefixes, as published; loses states: classic.c */
	EXPLORE_SE,	   /* the same with switch equivalence, as published; loses more: se.h */
	EXPLORE_SE_STRONG, /* with the strengthened test */
	EXPLORE_DFS,	   /* every interleaving: dfs.c */
	EXPLORE_DPOR,	   /* one per order of dependent steps; SC: dpor.c */
	EXPLORE_ALGORITHMS,
};

/*
 * Which reads of a seed keep their values (classic and se): all, or those that what happens depends
 * on by static analysis (MCR-S), or those and all before the target (MCR-S+).
 */
enum explore_static { EXPLORE_STATIC_OFF, EXPLORE_STATIC_S, EXPLORE_STATIC_S_PLUS };

struct explore_stats {
	uint64_t executions, states;
	uint64_t diverged, stuck, failed, limited, assumed;
	uint64_t nodes, questions, answers; /* answers: satisfiable ones */
	uint64_t unknown;		    /* budget ran out: something may be missing */
	uint64_t alternatives, fallbacks, reused;
	uint64_t redundant; /* dpor: executions dropped because all that could go on slept */
	uint64_t reads,
		constraints; /* classic, se: reads with a source, writes kept from between */
	uint64_t missed; /* static: seeds whose target did not show; asked again, all reads kept */
	uint64_t skip_bytes; /* se: for seeds that need not follow, all in all */
	uint64_t bytes;	     /* held for states at the end */
};

/* Of one execution: what is known of their order takes room and time by the square. */
#define EXPLORE_MAX_EVENTS 5000

struct explore_opts {
	enum explore_algorithm algorithm;
	uint64_t max_executions;   /* 0: no limit */
	uint64_t budget;	   /* conflicts per question, 0: no limit */
	const struct limit *limit; /* reached: questions are given up, which stats.unknown counts */
	/* Called after each execution; non-zero ends the exploration. */
	int (*ran)(void *arg, const struct explore_run *run);
	void *arg;
	struct solve_backend *(*backend)(const struct solve_formula *f); /* NULL: order */
	bool last_in_first_out;
	/* Whether the event at one site may depend on what the read at another returns. */
	enum explore_static static_deps;
	bool (*depends)(void *arg, uint32_t read_site, uint32_t event_site);
	void *depends_arg;
	/*
	 * Switch equivalence: skip seeds by target and value instead of by their steps; hand on
	 * what need not follow to children it is equivalent with (both lose a little more).
	 */
	bool se_by_target, se_inherit;
	bool measure; /* count stats.reads and .constraints */
};

/*
 * Explores.  *stats says what was done; stats->unknown, ->limited and the execution limit say what
 * was left out.  Returns 0 or an error of the executor.
 */
int explore(struct explore_executor *x, const struct explore_opts *o, struct explore_stats *stats,
	    struct err *e);

/* "complete", "classic", …; NULL for no algorithm.  The inverse gives -1. */
const char *explore_algorithm_name(unsigned algorithm);
int explore_algorithm_find(const char *name);

#endif
