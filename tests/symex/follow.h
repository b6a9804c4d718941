/* What the two halves of the test share: the recorded run and our execution of it. */
#ifndef HEDDLE_TESTS_SYMEX_FOLLOW_H
#define HEDDLE_TESTS_SYMEX_FOLLOW_H

#include "symex/machine/machine.h"
#include "trace/bundle/bundle.h"
#include "wire/ctl.h"

struct binding {
	uint64_t base, bytes, real;
	uint32_t kind, thread, serial;
};

struct follow {
	struct trace_bundle b;
	struct symex_program *p;
	struct symex_trace trace;
	struct symex_options o;
	struct machine *m;
	bool markers;
	VEC(uint32_t) logged[WIRE_MAX_THREADS]; /* events of each thread */
	uint32_t compared[WIRE_MAX_THREADS];	/* of the log */
	uint32_t cursor[WIRE_MAX_THREADS];	/* of our own */
	VEC(struct binding) bindings;
	uint64_t unknowns; /* reads of the execution along the path */
	char why[700];
};

/*
 * Executes the path again with shared reads unknown, and evaluates all that came out under what the
 * reads really returned: every value, and every condition, which must hold.
 */
bool along(struct follow *f);

#endif
