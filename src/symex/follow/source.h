/* A recording as the source of a path for the executor (symex/symex.h). */
#ifndef HEDDLE_SYMEX_FOLLOW_SOURCE_H
#define HEDDLE_SYMEX_FOLLOW_SOURCE_H

#include "symex/follow/decide.h"
#include "model/path.h"
#include "symex/symex.h"
#include "trace/elf/sites.h"

struct follow_source_thread {
	struct model_path path;
	bool begun;
	uint32_t task;	    /* RECORD_NO_THREAD: not in the recording */
	uint32_t input[64]; /* by kind: records looked at */
};

struct follow_source {
	const struct trace_recording *r;
	const struct symex_program *program;
	VEC(uint32_t) marks; /* by unit: number of its marks; SYMEX_NONE: none */
	VEC(struct follow_source_thread) threads;
	VEC(uint32_t) tasks;	     /* by thread of the executor, as far as it is known */
	struct follow_decide decide; /* what the recording leaves open */
	struct trace_sites sites;    /* of the program, to know the place of the failure */
	bool broken;		     /* the stream cannot be of this program */
};

/* ERR_MISMATCH when the recording has marks of other code. */
int follow_source_init(struct follow_source *s, const struct trace_recording *r,
		       const struct symex_program *p, struct err *e);
void follow_source_fini(struct follow_source *s);

/* The recorded thread that a thread of the executor is taken for. */
uint32_t follow_source_task(const struct follow_source *s, uint32_t thread);

struct symex_source follow_source_get(struct follow_source *s);

/*
 * Which recorded thread is which, from a trace made with this source.  True when that was not known
 * before: the trace has to be made again.
 */
bool follow_source_learn(struct follow_source *s, const struct symex_trace *t);

#endif
