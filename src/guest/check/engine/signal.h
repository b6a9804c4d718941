/* Fatal signals of the program become failures of the run. */
#ifndef HEDDLE_RT_ENGINE_SIGNAL_H
#define HEDDLE_RT_ENGINE_SIGNAL_H

#include "guest/check/rt.h"

/* Handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS. */
void signal_install(void);
/* Gives the calling kernel thread its stack for handlers at addr. */
void signal_stack(uint64_t addr);

#endif
