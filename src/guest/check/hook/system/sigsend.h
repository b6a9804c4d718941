/* Signals on their way: pending ones, and who gets them.  Private to the files of signals. */
#ifndef HEDDLE_RT_HOOK_SIGSEND_H
#define HEDDLE_RT_HOOK_SIGSEND_H

#include "guest/check/hook/system/signals.h"

/* Somebody gets a signal for the process; no handler runs before the next step. */
void sigsend_process(int number, uint64_t value);
/*
 * A step at which the running thread gets to know what is pending for it: hidden state of the
 * thread and of the process, which senders change.
 */
void sigsend_look(uint32_t site);
#define SIGSEND_READS 2 /* reads of hidden state in it */
/* The program changes what is done with the signal. */
void sigsend_changed(int number);
/* What is pending for the process and t does not block becomes t's. */
void sigsend_adopt(struct rt_thread *t);
/* What happens without a handler: nothing, or the end of the run. */
void sigsend_default(int number, uint32_t site);

#endif
