/* Random valid traces and random questions about them. */
#ifndef SUPPORT_RANDOM_H
#define SUPPORT_RANDOM_H

#include "base/rng.h"
#include "predict/order/question.h"
#include "predict/read/trace.h"

struct random_shape {
	uint32_t threads, locks, locs, events;
	uint32_t lock_weight; /* of 100: how often a lock operation is tried */
	bool forks, signals, shared, rmw, branches, glue;
};

/* A shape drawn for exhaustive checking: 2 to 5 threads, at most about 20 events. */
struct random_shape random_shape(struct rng *r);
/* The settled trace of a random execution; predict_trace_free() it. */
struct predict_trace *random_trace(struct rng *r, const struct random_shape *shape);
/* A random question of the kind; false when the trace has no instance. */
bool random_question(struct rng *r, const struct predict_trace *t, enum predict_kind kind,
		     struct predict_question *q);

#endif
