/*
 * The independent judge of witnesses.  It replays an order of events over the trace alone and knows
 * nothing of graphs, rows or stages: per-thread order, fork and join, signals, lock ownership, the
 * writer each read sees, then the state the question asks for.  Nothing is reported that it
 * rejects.
 */
#ifndef HEDDLE_PREDICT_CHECK_H
#define HEDDLE_PREDICT_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "predict/order/question.h"
#include "predict/read/trace.h"

/* 0 when order (trace events) is a witness for q under the model; ERR_MISMATCH says why not. */
int predict_check_witness(const struct predict_trace *t, const struct predict_question *q,
			  enum predict_model model, const uint32_t *order, size_t n, struct err *e);

/* The observed order itself must be valid under CDSR; a self-test of reader and settle. */
int predict_check_trace(const struct predict_trace *t, struct err *e);

#endif
