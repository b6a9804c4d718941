/*
 * Executions for a search over the learned program (explore/learn/product.h): batches of schedules
 * carried out by a guest, their events taken over.
 */
#ifndef HEDDLE_CHECK_SOURCE_H
#define HEDDLE_CHECK_SOURCE_H

#include "explore/live/fenced.h"
#include "run/fleet/batch.h"
#include "explore/live/ingest.h"
#include "explore/learn/product.h"
#include "run/guest/engine.h"

/* A run that failed: how to have it again. */
struct check_failed {
	uint32_t kind, site;
	struct model_schedule path;
};

/* An execution that need not be carried out again when the trees are made anew. */
struct check_kept {
	struct wire_batch_run run;
	VEC(struct wire_event) events;
};

struct check_source {
	struct product_source base;
	struct run_engine *engine;
	struct run_guest *guest;
	struct wire_job job; /* model, max_steps, seed, flags of the program */
	struct learn learn;
	struct cells cells;
	struct ingest ingest;
	struct run_result result;
	struct check_fenced fenced; /* events of a run with the job's fences */
	struct run_batch batch;
	VEC(struct model_schedule) left; /* to be carried out; their choices are the asker's */
	VEC(struct check_kept) kept;	 /* the first ones */
	VEC(struct check_failed) failed; /* distinct by kind and place */
	uint64_t max_executions;	 /* 0: no limit */
	uint64_t executions, diverged, events, guest_ns;
	uint64_t cut_off;  /* executions that a limit on steps has ended */
	uint64_t restarts; /* times more memory turned out to be shared */
	bool count_visits;
	bool folds;		   /* learn.folds */
	const struct limit *limit; /* of time and memory; may be NULL */
	enum limit_reason over;	   /* it was reached */
	bool exhausted;		   /* max_executions was reached */
	bool stop_early;	   /* return PRODUCT_STOP after a failing run */
};

/* Who carries out executions. */
struct check_guests {
	struct run_engine *engine;
	struct run_guest *first;
	const struct run_guest_opts *opts; /* of the others */
	unsigned count;
};

/* To be ended by check_source_fini() even after an error. */
int check_source_init(struct check_source *s, const struct check_guests *g,
		      const struct wire_job *job, struct err *e);
void check_source_fini(struct check_source *s);

/* Runs of other searches: what they touched need not be found out again. */
int check_source_warm_up(struct check_source *s, uint64_t runs, struct err *e);

/* Forgets the trees and lays out the memory now known to be shared. */
int check_source_renew(struct check_source *s, struct err *e);

#endif
