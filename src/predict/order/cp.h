/*
 * Causal precedence (CP): the smallest relation with
 *   (a) release before acquisition for two sections of one lock with conflicting accesses,
 *   (b) the same for two sections that contain CP-ordered events,
 *   (c) composition with happens-before on either side;
 * fork, join and signal edges between threads are CP edges.
 *
 * The events CP-before e are closed downwards under happens-before, so they are a cut; the relation
 * is one row per event, computed by passes over the trace until rule (b) finds nothing new.
 */
#ifndef HEDDLE_PREDICT_CP_H
#define HEDDLE_PREDICT_CP_H

#include <stdbool.h>
#include <stdint.h>

#include "predict/order/core.h"
#include "predict/order/rows.h"

struct predict_cp;

/* hb: ROWS_HB, borrowed while this lives. */
struct predict_cp *predict_cp_new(const struct predict_core *c, const struct predict_rows *hb);
void predict_cp_free(struct predict_cp *cp);
/* a CP-before b; core events. */
bool predict_cp_before(const struct predict_cp *cp, uint32_t a, uint32_t b);

#endif
