/*
 * All runs of a symbolic trace by brute force: threads with program counters and store buffers, every
 * choice tried.  It shares nothing with repro/ but the trace.
 */
#ifndef SUPPORT_ENUM_H
#define SUPPORT_ENUM_H

#include "support_text.h"
#include "wire/ctl.h"

struct enum_result {
	uint64_t runs;	/* that came to the end of every thread */
	uint64_t good;	/* of them: all conditions hold */
	uint64_t *values; /* of the reads of the last good one; owned */
	bool cut;	/* too many steps: nothing is known */
};

typedef void (*enum_fn)(void *arg, const uint64_t *reads, bool good);

/* Ends at the first good run unless each is not NULL, which then is called for every run. */
struct enum_result enum_runs(const struct text_trace *x, enum wire_model model, enum_fn each,
			     void *arg);

/*
 * One random run; its read values in reads (room for all), its steps in order appended to *order as
 * events (a write where it reached memory).  False when it got stuck.
 */
bool enum_draw(const struct text_trace *x, enum wire_model model, uint64_t seed, uint64_t *reads,
	       struct strace_list *order);

#endif
