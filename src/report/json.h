/* The report for programs: one JSON object per command. */
#ifndef HEDDLE_REPORT_JSON_H
#define HEDDLE_REPORT_JSON_H

#include "report/report.h"

extern const struct report_ops report_json;

#endif
