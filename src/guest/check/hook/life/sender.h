/*
 * Signals from outside that ran handlers when the run was recorded come again: each from a thread
 * of ours that sends it to the thread it interrupted.  When it comes is the scheduler's choice.
 */
#ifndef HEDDLE_RT_HOOK_SENDER_H
#define HEDDLE_RT_HOOK_SENDER_H

#include "guest/check/thread.h"

/* The program creates a thread: the senders for it begin, with the first one those for main too. */
void sender_begin(const struct rt_thread *created);

#endif
