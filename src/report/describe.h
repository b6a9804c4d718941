/* Recordings as findings: what failed, where, and which accesses come together. */
#ifndef HEDDLE_REPORT_DESCRIBE_H
#define HEDDLE_REPORT_DESCRIBE_H

#include "model/finding.h"
#include "report/report.h"

void report_describe_failure(const struct report_finding *f, struct findings *to);
void report_describe_race(const struct report_race *race, enum finding_level level,
			  struct findings *to);

#endif
