/* The figures of a trace in the columns predictive analyses are compared by. */
#ifndef HEDDLE_PREDICT_STATS_H
#define HEDDLE_PREDICT_STATS_H

#include "model/prediction.h"
#include "predict/order/core.h"

void predict_stats_of(const struct predict_core *c, struct prediction_stats *s);

#endif
