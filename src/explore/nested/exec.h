/*
 * One execution of a program under the runtime of heddle stable, in a fresh process.  What the
 * schedule leaves open is decided here, by a function that is asked whenever every thread stands
 * (wire/nested.h); without one the program runs as `heddle stable' runs it.
 */
#ifndef HEDDLE_EXPLORE_NESTED_EXEC_H
#define HEDDLE_EXPLORE_NESTED_EXEC_H

#include "base/err.h"
#include "base/limit.h"
#include "base/strbuf.h"
#include "explore/reduce/reduce.h"
#include "stable/launch.h"
#include "wire/nested.h"

#define NESTED_OUTPUT_KEPT 65536

struct nested_program {
	const char *path, *library;
	char *const *argv; /* ends with NULL */
	int input;	   /* read from its beginning by every execution; -1: none */
	bool det;	   /* sections end at a turn: --pcs-exit=det */
	bool exit_fails;   /* a status that is not 0 is a failure */
	uint64_t hang_ns;  /* without progress; 0: waits for ever */
	const struct limit *limit;
	/* Not the caller's: shared with executions, one after the other. */
	struct nested_ctl *shared;
	char *shared_path;
};

enum nested_end {
	NESTED_ENDED,	/* by itself; status says how */
	NESTED_STUCK,	/* deadlock */
	NESTED_STOPPED, /* by whoever decides */
	NESTED_CUT,	/* the limit was reached */
	NESTED_HUNG,	/* no progress */
};

/* What a thread stood at in the end. */
struct nested_stand {
	struct reduce_offer offer;
	uint64_t pc;
};

struct nested_run {
	enum nested_end end;
	int status;		     /* as from waitpid */
	struct stable_launch launch; /* with the control block */
	uint32_t reasons;
	uint64_t why_pc[8];
	char *output; /* its beginning and its end, when it is long */
	uint64_t output_hash;
	uint64_t ns;
	VEC(uint32_t) choices; /* threads, as they were let go on */
	VEC(struct nested_stand) stands;
	VEC(uint64_t) objects; /* addresses, by their names */
	uint64_t order_hash;   /* of what was done in sections, object by object */
	VEC(uint64_t) orders;
};

/* 0: *thread goes on.  Otherwise the execution is over. */
typedef int (*nested_decide_fn)(void *arg, const struct reduce_offer *offers, size_t n,
				uint32_t *thread);

/* Before the first execution, and after the last. */
int nested_program_begin(struct nested_program *p, struct err *e);
void nested_program_end(struct nested_program *p);

/* decide NULL: the operating system decides.  run is empty before; nested_run_fini() in any case.
 */
int nested_execute(struct nested_program *p, nested_decide_fn decide, void *arg,
		   struct nested_run *run, struct err *e);
void nested_run_fini(struct nested_run *run);

/* The schedule's own operations are those of thread 0, thread n's those of n + 1. */
#define NESTED_SCHEDULE 0
#define NESTED_OBJECT_SCHEDULE 1 /* the name of its queue */

/* "T1 lock #3", an operation as people read it. */
void nested_add_op(const struct reduce_op *op, struct strbuf *to);

#endif
