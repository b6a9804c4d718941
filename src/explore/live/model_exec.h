/*
 * Executions for explore/ on what is known of a program (explore/learn/machine.h).
 *
 * What main does before the first thread begins, and the beginning of threads right after it, comes
 * before every execution and is not in its history.  An event is one step that others can notice
 * (model_event.h); the rest happens on the way to it.  Where a step is not known yet the program is
 * run along the path so far, and the execution is thought through once more.
 *
 * A thread whose next step would end the execution by a failure or a broken assumption lets the
 * others go first.  Waits expire only where nothing else can happen, or where the prefix asks for
 * what makes them expire.
 */
#ifndef HEDDLE_CHECK_MODEL_EXEC_H
#define HEDDLE_CHECK_MODEL_EXEC_H

#include "explore/live/model_event.h"
#include "explore/published/executor.h"
#include "explore/learn/product.h"

/* Returned by execute() besides 0, errors and what product_source gives. */
#define MODEL_AGAIN 16 /* events look different now: explore anew, the trees stay */

struct model_thread;

struct model_exec {
	struct explore_executor base;
	struct product_source *source;
	struct machine m;
	struct model_places places;
	machine_config *begin, *c, *before;
	struct model_schedule begin_path, path;
	VEC(struct model_thread) threads;
	size_t known_threads, known_objects; /* when begin was made */
	uint64_t question; /* asked last, and how often */
	uint32_t tries;
	struct explore_run *out;
	struct err *e;
	/* How the last execution ended; path is the way there, c the configuration. */
	enum machine_result end;
	uint32_t end_thread;
	/* Prefixes that did not fit: because nobody could go on after reading what one asks for, or
	 * for another reason. */
	uint64_t refused, misfits;
	bool blocked; /* the former */
	uint64_t unknown; /* executions cut off where a thread did not come to its next step again */
	uint64_t woken_first; /* signals that had a choice whom to wake */
	bool nested; /* somebody who had a lock did what may block: there may be deadlocks */
};

void model_exec_init(struct model_exec *x, struct product_source *source, unsigned model,
		     uint32_t loop_bound);
/* To be called when the trees of the source were made anew. */
void model_exec_renew(struct model_exec *x);
void model_exec_fini(struct model_exec *x);

#endif
