/*
 * A question: is there a reordering of a prefix of the trace in which the targets are all next at
 * the same moment, the required events are done and the order edges hold?
 *
 * Events are trace events.  At most one target per thread.  A target is never executed, so a target
 * that reads may see anything (unless strict, see predict_question_strict()).  `exempt' is a
 * required read that may see another value as long as its thread does not go on after it.
 */
#ifndef HEDDLE_PREDICT_QUESTION_H
#define HEDDLE_PREDICT_QUESTION_H

#include <stdbool.h>
#include <stdint.h>

#include "predict/read/trace.h"

enum predict_model {
	MODEL_CSR,    /* synchronisation only */
	MODEL_CDSR,   /* every executed read keeps its writer */
	MODEL_BRANCH, /* only reads some executed branch or relied-on write may depend on do */
};

enum predict_kind { KIND_RACE, KIND_DEADLOCK, KIND_ATOMICITY, KIND_ORDER };

struct predict_question {
	enum predict_kind kind;
	VEC(uint32_t) targets;
	VEC(uint32_t) required;
	VEC(struct predict_pair) order; /* sig before wait */
	uint32_t exempt;		/* PREDICT_NONE when none */
	bool strict;			/* target reads keep their writer */
};

#define PREDICT_QUESTION_INIT                                                                      \
	{                                                                                          \
		KIND_RACE, VEC_INIT, VEC_INIT, VEC_INIT, PREDICT_NONE, false                       \
	}

/* What a question is about, in the order a person names it. */
struct predict_events {
	VEC_FIELDS(uint32_t);
};

void predict_question_fini(struct predict_question *q);
void predict_question_clear(struct predict_question *q);

/* Each overwrites q. */
void predict_question_race(struct predict_question *q, uint32_t a, uint32_t b);
void predict_question_deadlock(struct predict_question *q, const uint32_t *requests, uint32_t n);
/* a, then c of another thread, then b about to happen. */
void predict_question_atomicity(struct predict_question *q, const struct predict_trace *t,
				uint32_t a, uint32_t c, uint32_t b);
/* events[0] before events[1] before ... before events[n - 1], the last one about to happen. */
void predict_question_sequence(struct predict_question *q, const uint32_t *events, uint32_t n);
/* The whole trace in an order that has all the given edges. */
void predict_question_whole(struct predict_question *q, const struct predict_trace *t,
			    const struct predict_pair *edges, uint32_t n);

const char *predict_model_text(enum predict_model model);
const char *predict_kind_text(enum predict_kind kind);

#endif
