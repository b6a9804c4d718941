/* How a run ends: fills the result in the control block, then leaves the run. */
#ifndef HEDDLE_RT_ENGINE_FINISH_H
#define HEDDLE_RT_ENGINE_FINISH_H

#include "guest/check/rt.h"

/* Records a fatal signal; the caller then leaves the run. */
void finish_signal(int number, uint64_t addr, const char *text, uint64_t rip, uint64_t rbp);
/* Records an outcome with its reason and leaves. */
_Noreturn void finish_outcome(enum wire_outcome outcome, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The program has ended with this status (rt_exit(), which lets others act before). */
_Noreturn void finish_exit(int status);
/* Set by the scheduler: writes the thread table and counters into the control block. */
extern void (*finish_export)(void);

#endif
