/*
 * Does the program hang?  It does when, for the time given, every thread that has not ended stood
 * waiting in the same synchronisation operation, or when some threads wait for locks in a circle for
 * so long.  A thread that waits for the outside (a descriptor, a clock) may go on, and so may those
 * that wait for it.
 */
#ifndef HEDDLE_RECORD_HANG_H
#define HEDDLE_RECORD_HANG_H

#include <sys/types.h>

#include "record/live.h"

struct record_hang {
	const struct record_live *live;
	pid_t pid;
	uint64_t limit_ns;
	/* Private. */
	uint64_t since, seen; /* when and what the threads waited for when it last changed */
};

/* Looks once; true when it hangs, and the failure is in the control block. */
bool record_hang_look(struct record_hang *h);

#endif
