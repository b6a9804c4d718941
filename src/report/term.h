/* The report for a person at a terminal. */
#ifndef HEDDLE_REPORT_TERM_H
#define HEDDLE_REPORT_TERM_H

#include "report/report.h"

extern const struct report_ops report_term;

#endif
