/*
 * Intel Processor Trace, for the backend `pt': the hardware writes control flow itself.  perf gives
 * access to it (a PMU called intel_pt) where processor, kernel and permissions allow.
 */
#ifndef HEDDLE_RECORD_PT_H
#define HEDDLE_RECORD_PT_H

#include "base/err.h"

/* 0 when traces can be taken here; ERR_UNSUPPORTED says what is missing. */
int record_pt_available(struct err *e);

#endif
