/* What heddle analyze says of a program: as text, as JSON. */
#ifndef HEDDLE_REPORT_ANALYSIS_H
#define HEDDLE_REPORT_ANALYSIS_H

#include "base/json_out.h"
#include "base/strbuf.h"
#include "model/analysis.h"

/* all: with calls of every finding, however many there are. */
void report_analysis_text(const struct analysis *a, bool all, struct strbuf *to);
/* Members of the object that is open. */
void report_analysis_json(const struct analysis *a, struct json_out *j);

#endif
