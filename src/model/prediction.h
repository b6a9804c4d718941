/*
 * What a predictive analysis says of one execution, as plain data in words: the findings, how many
 * candidates there were and what became of them, and the figures of the trace.  The analysis fills
 * it, reports render it; neither knows the other.
 *
 * A finding that is predicted has a `struct finding_prediction': the order that leads to it, and
 * how sure it is.  Findings that a page only counts are brief: title and verdict, no events.
 */
#ifndef HEDDLE_MODEL_PREDICTION_H
#define HEDDLE_MODEL_PREDICTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "model/finding.h"

/* So many events of a thread (an index into the prediction's threads), one after another. */
struct prediction_run {
	uint32_t thread, count;
};

/* One event of a witness; event is its place in the trace, from 0. */
struct prediction_step {
	uint32_t event, thread;
	char *text;
};

/* Words are constants of the analysis. */
struct finding_prediction {
	bool brief;
	uint64_t number;    /* among those of its kind that are not suppressed, from 1 */
	char *name;	    /* of the question; NULL: nobody asked it */
	char *title;	    /* "x: T1 writes at file.c:12, T2 reads at file.c:30" */
	char *why;	    /* a few sentences; NULL unless it is feasible */
	const char *answer; /* "feasible" */
	const char *model;  /* what must stay as it was recorded */
	const char *stage;  /* of the analysis, that decided it */
	const char *block;  /* why accesses belong together; NULL: they do not have to */
	bool inferred;	    /* nobody said so, it looks like it */
	uint64_t tuples;    /* combinations of events at these places */
	uint64_t feasible;  /* of them */
	uint64_t steps;	    /* events of the witness */
	VEC(struct prediction_run) runs;
	VEC(struct prediction_step) witness; /* when wanted */
	bool confirmed;	    /* the program was run along the witness and got there */
	char *confirmation; /* what came of running it; NULL when it was not run */
};

/* What became of the candidates of one kind. */
struct prediction_total {
	const char *kind;
	bool wanted; /* the analysis looked for them */
	uint64_t candidates;
	uint64_t decided; /* by a question, whatever the answer */
	uint64_t feasible, infeasible, unknown;
	uint64_t skipped; /* at the same places as a finding */
	uint64_t hidden;  /* findings over what the user wants to see */
	uint32_t cut_at;  /* cycles of so many locks were not all listed, 0 = all */
};

enum prediction_kind {
	PREDICTION_RACE,
	PREDICTION_DEADLOCK,
	PREDICTION_ATOMICITY,
	PREDICTION_ORDER, /* the user asked about */
	PREDICTION_KINDS,
};

/* The figures of a trace in the columns predictive analyses are compared by. */
struct prediction_stats {
	uint64_t threads, locks, conds, vars;
	uint64_t lock_events, cond_events, reads, writes, forks, joins;
	uint64_t events;   /* accesses, lock, condition, fork and join events, and the implied begin
			      and end of each thread and init of each lock and condition */
	uint64_t recorded; /* lines or records that were read */
	uint64_t candidates; /* race candidates by lockset */
};

/* Work of a stage of the analysis. */
struct prediction_stage {
	const char *word;
	uint64_t tried, decided;
	double seconds;
};

struct prediction_warning {
	uint64_t line; /* of the input, 0: of no line */
	char *text;
};

/* The same questions to every method, a row each. */
#define PREDICTION_METHODS 16

struct prediction_row {
	char *name;
	const char *kind;
	bool pair;			/* a race of two events, counted from 1 */
	uint64_t a, b;			/* which */
	const char *stages[2];		/* that decided it, in the wide and in the narrow model */
	char cells[PREDICTION_METHODS]; /* '0', '1', '?' undecided, '-' not defined */
};

struct prediction_table {
	unsigned methods;
	const char *method[PREDICTION_METHODS];
	uint64_t yes[PREDICTION_METHODS], unknown[PREDICTION_METHODS];
	double seconds[PREDICTION_METHODS];
	uint64_t left_out; /* candidates over the limit */
	VEC(struct prediction_row) rows;
};

/* The same questions to the analysis' decision procedure and to a general solver. */
struct prediction_versus {
	const char *name;    /* of the solver */
	uint64_t candidates; /* that could have been asked */
	uint64_t questions;  /* that were */
	uint64_t feasible, unknown;
	uint32_t points, clauses; /* of the formula */
	double own;		  /* seconds for all questions, on the processor */
	double encode;		  /* building one formula */
	double session, fresh;	  /* asking, the latter with building */
	uint64_t fresh_questions; /* how many were asked that way */
};

/* How many predictions there were, how many were run, how many got there. */
struct prediction_confirmed {
	bool wanted;
	uint64_t feasible, run, confirmed;
	char *not_run; /* why not all; NULL when there is no reason but the limits */
};

struct prediction {
	const char *file;     /* the caller's, as the texts below that are const */
	const char *ended;    /* how the execution ended, when that is known */
	bool failed;	      /* with a failure */
	char *const *failure; /* more about it, line by line */
	size_t failure_count;
	const char *model; /* widest one that counts */
	struct prediction_stats stats;
	VEC(char *) threads;
	VEC(struct prediction_warning) warnings;
	struct findings findings; /* every one has a prediction */
	struct prediction_total totals[PREDICTION_KINDS];
	struct prediction_confirmed confirmed;
	struct prediction_table *table;		/* NULL when not asked for */
	const struct prediction_versus *versus; /* the same; the caller's */
	VEC(struct prediction_stage) stages;
	uint64_t events, core;		     /* of the trace; of them looked at */
	double seconds;			     /* of the analysis */
	double read_seconds, linear_seconds; /* reading and settling; what goes once over it */
};

/* A prediction with the title, to be put into a finding. */
struct finding_prediction *prediction_new(const char *title);
void prediction_free(struct finding_prediction *p);

/* How many times faster the decision procedure is, in the solver's better way; 0: no questions. */
double prediction_versus_ratio(const struct prediction_versus *v);

void prediction_fini(struct prediction *p);

#endif
