/*
 * The race questions of a trace to the decision procedure and to a general solver, side by side:
 * answers compared, time measured.
 *
 * Asked are the candidates that lockset and hard order leave, at most so many, spread evenly over
 * the list.  The solver is measured in the way that suits it better of two: one session for all
 * questions, which keeps what it learned, or a new solver for each question.
 */
#ifndef HEDDLE_PREDICT_VERSUS_H
#define HEDDLE_PREDICT_VERSUS_H

#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "predict/smt.h"

struct predict_versus {
	const char *name;    /* of the solver */
	uint64_t candidates; /* that could have been asked */
	uint64_t questions;  /* that were */
	uint64_t feasible, unknown;
	uint32_t points, clauses; /* of the formula */
	double own;		  /* seconds for all questions, on the processor */
	double encode;		  /* building one formula */
	double session, fresh;	  /* asking, the latter with building */
	uint64_t fresh_questions; /* how many were asked that way */
};

/* ERR_INTERNAL when answers differ or the judge rejects a witness of the solver. */
int predict_versus(struct predict_engine *e, enum predict_model model,
		   predict_smt_backend_fn backend, uint64_t limit, struct predict_versus *out,
		   struct err *err);

/* How many times faster the decision procedure is, in the solver's better way; 0: no questions. */
double predict_versus_ratio(const struct predict_versus *v);
void predict_versus_render(const struct predict_versus *v, struct strbuf *to);

#endif
