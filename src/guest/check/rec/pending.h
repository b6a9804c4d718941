/*
 * Signals that are pending, in the order in which they came: of an ordinary one the first counts
 * and others are lost while it is pending, of a real-time signal each one waits.
 *
 * who is a thread's number or PENDING_PROCESS.  All of it belongs to the run.
 */
#ifndef HEDDLE_RT_REC_PENDING_H
#define HEDDLE_RT_REC_PENDING_H

#include <stdbool.h>
#include <stdint.h>

#define PENDING_PROCESS 0xffffu

/* What comes along with a signal. */
struct pending_signal {
	uint64_t value;
	int32_t code;
};

/* False when it is lost: an ordinary one is pending, or too many are. */
bool pending_add(uint16_t who, int number, struct pending_signal what);
/* The first of that number, which is there; *more: another one of it stays. */
struct pending_signal pending_remove(uint16_t who, int number, bool *more);
/* One number for all that is pending: the signals as bits while nothing else is to be told. */
uint64_t pending_state(uint16_t who, uint64_t pending);

#endif
