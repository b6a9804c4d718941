/* What heddle predict says of an execution: as text, as JSON. */
#ifndef HEDDLE_REPORT_PREDICTION_H
#define HEDDLE_REPORT_PREDICTION_H

#include "base/json_out.h"
#include "base/strbuf.h"
#include "model/prediction.h"

/* details: figures of the stages, too. */
void report_prediction_text(const struct prediction *p, bool details, struct strbuf *to);
/* A line for each finding that was run, and how many of all predictions got there. */
void report_prediction_confirmed(const struct prediction *p, struct strbuf *to);
/* Its table, or its comparison of solvers. */
void report_prediction_table(const struct prediction *p, struct strbuf *to);
void report_prediction_versus(const struct prediction *p, struct strbuf *to);

/* One member of an array of files, with whatever the prediction has. */
void report_prediction_json(const struct prediction *p, struct json_out *j);

#endif
