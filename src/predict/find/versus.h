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
#include "model/prediction.h"
#include "predict/order/smt.h"

/* ERR_INTERNAL when answers differ or the judge rejects a witness of the solver. */
int predict_versus(struct predict_engine *e, enum predict_model model,
		   predict_smt_backend_fn backend, uint64_t limit, struct prediction_versus *out,
		   struct err *err);

#endif
