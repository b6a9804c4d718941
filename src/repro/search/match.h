/*
 * Is the failure of a controlled run the recorded one?
 *
 * The same kind at the same place.  Under control some failures have better names: what a recorded
 * run noticed as a signal, or as an abort of the C library's allocator, is a use after free or a
 * double free there; such a failure at the same place is the same.  A deadlock is the same when as
 * many threads with the same entry functions wait.
 *
 * A run under control ends at the first access to memory that was given back, where a recorded one
 * went on until it crashed: misuse of the heap in the function that crashed is near, and the best
 * there is when the crash itself does not come.
 *
 * Threads are known by who created them as which child.  The same failure in another thread that
 * runs the same function is near, too; in one that does something else it is another failure.  So
 * is one at another operation of the recorded line, where the program under control has the
 * recorded one.
 */
#ifndef HEDDLE_REPRO_MATCH_H
#define HEDDLE_REPRO_MATCH_H

#include "run/guest/result.h"
#include "trace/bundle/recording.h"
#include "trace/elf/sites.h"

enum repro_near {
	REPRO_NEAR_NOTHING,
	REPRO_NEAR_BEFORE, /* misuse of the heap, before the recorded crash */
	REPRO_NEAR_THREAD, /* in another thread of the same function */
	REPRO_NEAR_LINE,   /* at another operation of the same line */
};

struct repro_match {
	const struct trace_recording *recording; /* borrowed */
	struct trace_sites sites;		 /* of the program under control */
	bool loaded;
	enum repro_near near; /* why the failure seen last is near */
	uint64_t others;      /* failures that were not it */
	uint64_t misused;     /* of those: accesses beside blocks or to freed ones */
	char last_other[400]; /* the last of them in words */
};

void repro_match_init(struct repro_match *m, const struct trace_recording *r);
void repro_match_fini(struct repro_match *m);

/* The kind alone: whether such a failure (enum wire_failure_kind) may be the recorded one. */
bool repro_match_kind(const struct record_failure *f, const struct wire_failure *w);

enum repro_likeness { REPRO_OTHER, REPRO_NEAR, REPRO_SAME };

/* r has a failure; notes it when it is another one. */
enum repro_likeness repro_match(struct repro_match *m, const struct run_result *r);

/* "assertion in append, sbuf.c:31": the recorded failure in words. */
void repro_match_say(const struct trace_recording *r, struct strbuf *to);

#endif
