/*
 * The way a recorded thread took, as the answers to "which way did this point go?" in the order in
 * which the thread comes to its marked points.
 *
 * A stream has no names of points in it: whoever follows it executes the code and asks at every
 * marked point (trace_marks_has()), and only there.  Points that are not marked have the way that the
 * thread's own values give them.  When the stream ends, the thread was cut off behind its last
 * answer: at the failure, or anywhere before its next marked point.
 */
#ifndef HEDDLE_MODEL_PATH_H
#define HEDDLE_MODEL_PATH_H

#include "trace/bundle/recording.h"

enum model_path_answer {
	MODEL_PATH_UNMARKED, /* the recording has no opinion */
	MODEL_PATH_IS,
	MODEL_PATH_END,	     /* the record of the thread ends here */
	MODEL_PATH_BROKEN,   /* what stands there cannot be an answer to this question */
};

enum model_path_kind { MODEL_PATH_BRANCH, MODEL_PATH_SUCCESSOR, MODEL_PATH_CALL };

struct model_path_question {
	uint32_t unit;	/* number of its marks in the recording */
	uint32_t point;
	enum model_path_kind kind;
	uint32_t successors; /* of a SUCCESSOR */
};

/* A place in the stream of a thread. */
struct model_path {
	const struct trace_recording *r;
	const struct trace_task *task;
	uint64_t at; /* bits that were read */
};

void model_path_begin(struct model_path *p, const struct trace_recording *r, uint32_t task);

/*
 * *out: of a branch 0 or 1, of a successor its number, of a call the number of the function
 * (RECORD_TARGET_OUTSIDE: one that is not in the table).  Nothing is read when the answer is not IS.
 */
enum model_path_answer model_path_next(struct model_path *p, const struct model_path_question *q,
				       uint64_t *out);

/* Is everything read? */
bool model_path_done(const struct model_path *p);

/* The thread that a thread created as its n-th, RECORD_NO_THREAD when there is none. */
uint32_t model_path_child(const struct trace_recording *r, uint32_t task, uint32_t index);

#endif
