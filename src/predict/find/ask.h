/*
 * Questions in words, one per line, in a trace file behind "?" or in a file of their own:
 *
 *   [NAME:] race A B                 both accesses next at the same moment
 *   [NAME:] deadlock Q1 Q2 ...       all these acquisitions requested and blocked by each other
 *   [NAME:] atomic A C B             A, then C of another thread, then B about to happen
 *   [NAME:] sequence E1 ... EK       in this order, EK about to happen
 *   [NAME:] order U->V U->V ...      the whole trace with these events in these orders
 *
 * An event is a label of the trace or #N, the N-th event.
 */
#ifndef HEDDLE_PREDICT_ASK_H
#define HEDDLE_PREDICT_ASK_H

#include "base/err.h"
#include "predict/order/question.h"
#include "predict/read/trace.h"

struct predict_ask {
	char *name; /* given or made from the line */
	uint32_t line;
	struct predict_question q;
	struct predict_events events; /* as named; empty for order */
};

struct predict_asks {
	VEC_FIELDS(struct predict_ask);
};

/* Parses the lines the trace came with. */
int predict_ask_trace(const struct predict_trace *t, struct predict_asks *out, struct err *e);
/* Parses a file of questions. */
int predict_ask_file(const struct predict_trace *t, const char *path, struct predict_asks *out,
		     struct err *e);
void predict_ask_fini(struct predict_asks *a);
/* Marks every event a question names, for predict_engine_new(). */
void predict_ask_keep(const struct predict_asks *a, uint8_t *keep);

#endif
