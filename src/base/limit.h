/*
 * When a command has to come to its end: its time is over, the user asked it to stop, or it holds
 * more memory than it may.  One object per command, handed down by pointer to whatever may take
 * long; narrower ones are copies (limit_within, limit_after).
 *
 * Whoever loops asks limit_reached() now and then: often enough that a tenth of a second passes
 * between two questions, and lets go of what it does when the answer is not LIMIT_NONE.
 */
#ifndef HEDDLE_BASE_LIMIT_H
#define HEDDLE_BASE_LIMIT_H

#include <stdint.h>

enum limit_reason { LIMIT_NONE, LIMIT_TIME, LIMIT_STOP, LIMIT_MEMORY };

struct limit {
	uint64_t end_ns; /* limit_now(); 0: no end */
	/* When the user asked to stop, 0: not yet; written by a signal handler.  NULL: never. */
	const volatile uint64_t *stopped_ns;
	uint64_t grace_ns;  /* time and stop count only so long after they were reached */
	uint64_t max_bytes; /* of memory this process has to itself; 0: no limit */
};

#define LIMIT_INIT                                                                                 \
	{                                                                                          \
		.end_ns = 0                                                                        \
	}

/* CLOCK_MONOTONIC in nanoseconds: the one clock of the host.  Fine in signal handlers. */
uint64_t limit_now(void);

/* NULL has no limit.  May be asked by several threads. */
enum limit_reason limit_reached(const struct limit *l);

/* The same, which also ends after ns from now (0: as before). */
struct limit limit_within(const struct limit *l, uint64_t ns);

/* The same for what has to be finished when the limit is reached: so much later, at any size. */
struct limit limit_after(const struct limit *l, uint64_t grace_ns);

/* "time is up", "interrupted", …; NULL for LIMIT_NONE. */
const char *limit_text(enum limit_reason reason);

/* Bytes this process has to itself, as the kernel counts them; 0 when it does not say. */
uint64_t limit_memory(void);

#endif
