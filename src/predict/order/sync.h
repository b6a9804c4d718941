/*
 * Stage "sync": is there a witness that keeps the order of the trace?  The needed events are closed
 * under program order, fork, join, signals and (under CDSR) writers; of every two sections of one
 * lock the earlier one must be released.  The closed set, in trace order, is itself the witness.
 * Exact for bugs that need no reversal of synchronisation; linear, usually far less.
 */
#ifndef HEDDLE_PREDICT_SYNC_H
#define HEDDLE_PREDICT_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "predict/order/core.h"
#include "predict/order/question.h"
#include "predict/order/rows.h"

/*
 * rows: ROWS_READS for CDSR, ROWS_SYNC for CSR.  Only for questions without required events, order
 * and strictness.  cut (threads entries, caller's) holds the executed prefix on success.
 */
bool predict_sync_closure(const struct predict_core *c, const struct predict_rows *rows,
			  const struct predict_question *q, uint32_t *cut);

#endif
