/*
 * Explicit-state search: the meaning of a question, spelled out.  Walks every reachable state of
 * every valid reordering of the trace, one event at a time.  Slow and plain on purpose; it shares
 * nothing with the engine but the trace and the question.
 */
#ifndef SUPPORT_ORACLE_H
#define SUPPORT_ORACLE_H

#include <stdbool.h>

#include "predict/order/question.h"
#include "predict/read/trace.h"

#define ORACLE_THREADS 6
#define ORACLE_LOCS 6
#define ORACLE_EVENTS 60

bool oracle_feasible(const struct predict_trace *t, const struct predict_question *q,
		     enum predict_model model);

#endif
