/*
 * The reset engine's system call filter.  What only reads, or writes to the captured standard
 * output, passes; anything else cannot be undone: the run ends as OUTCOME_STEPDOWN and names it.
 * Calls from os/sys.c pass always.
 */
#ifndef HEDDLE_RT_ENGINE_FILTER_H
#define HEDDLE_RT_ENGINE_FILTER_H

#include "guest/check/rt.h"

int filter_install(void);
/*
 * From the SIGSYS handler.  Returns when the call could be made after all (files.h), and outside
 * runs; else the run is over.
 */
void filter_trapped(int number, long long *registers);

#endif
