/*
 * The same questions as constraints for a general solver (solve/backend.h): a second opinion for
 * tests, and the yardstick the decision procedure is measured with.
 *
 * Encoding.  One point in a total order per core event, and one more, now.  An event is executed
 * exactly when it comes before now, so executed sets are prefixes by themselves.  Fixed edges are
 * program order, fork, join, signals and, under CDSR, the write each read saw: the observed order
 * satisfies them all, so they never exclude a rest that is not executed.  The choices are clauses:
 *
 *   sections of one lock   both begun -> one released before the other begins
 *   read r of write w      executed -> each other write of the location is before w or after r
 *
 * A question is assumptions: targets are after now, what precedes them in their threads, and what
 * is required, before now.  An alternative that the fixed edges decide is never a clause, so the
 * solver gets what a careful encoder would give it.  Models: CSR and CDSR.
 */
#ifndef HEDDLE_PREDICT_SMT_H
#define HEDDLE_PREDICT_SMT_H

#include <stdint.h>

#include "predict/order/core.h"
#include "predict/order/decide.h"
#include "predict/order/linear.h"
#include "predict/order/question.h"
#include "solve/backend.h"

typedef struct solve_backend *(*predict_smt_backend_fn)(const struct solve_formula *f);

struct predict_smt;

/*
 * One session over the trace of the engine, for any number of questions without an exempt read;
 * exempt (a trace event, or PREDICT_NONE) makes it one for questions with that exempt read.  The
 * engine is borrowed.
 */
struct predict_smt *predict_smt_new(const struct predict_engine *e, enum predict_model model,
				    uint32_t exempt, predict_smt_backend_fn backend);
void predict_smt_free(struct predict_smt *s);

/* SAT appends the executed trace events in order to *witness, which the judge may check. */
enum solve_answer predict_smt_ask(struct predict_smt *s, const struct predict_question *q,
				  struct predict_order *witness);

/* Size of the formula, for reports. */
const struct solve_formula *predict_smt_formula(const struct predict_smt *s);

#endif
