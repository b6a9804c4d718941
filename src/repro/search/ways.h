/*
 * How far the threads of an execution took the recorded ways.
 *
 * An execution with markers says which way every branch went.  Those that the recorder marked are
 * compared with the recorded bits, thread by thread, up to the first that went another way.  The
 * execution that agrees longest is kept, and changed a little shortly before the place where a thread
 * left its path: what it read there came from the wrong write.  A change that does not lose agreement
 * is kept in its turn, so that the search climbs along the recorded paths and needs no model of what
 * the program calls.
 */
#ifndef HEDDLE_REPRO_WAYS_H
#define HEDDLE_REPRO_WAYS_H

#include "base/rng.h"
#include "repro/search/guide.h"
#include "run/guest/points.h"

/* An event of an execution, or a store of it that reaches memory. */
struct repro_step {
	uint16_t tid;
	bool commit;
	uint32_t tix;
};

/*
 * Compared by the thread that came the smallest part of its way, then by all bits together: one that
 * runs ahead alone agrees with much, and makes the others go wrong.
 */
struct repro_agreement {
	double least;
	uint64_t bits;
};

struct repro_ways {
	const struct trace_recording *recording;
	struct run_points points;
	VEC(uint32_t) marks; /* by unit of the points: of the recording, UINT32_MAX: none */
	VEC(struct repro_step) best;
	struct repro_agreement agreed;
	size_t left;	 /* step of best at which the first thread left its path; count: none did */
	uint64_t vain;	 /* changes since the last that gained something */
};

/* An error: the program does not say where its points are; searching goes on without them. */
int repro_ways_init(struct repro_ways *w, const struct trace_recording *r, const char *program,
		    struct err *e);
void repro_ways_fini(struct repro_ways *w);

/* Forgets the best execution: others are numbered in another way (a memory model). */
void repro_ways_begin(struct repro_ways *w);

/* Keeps the execution when it agrees at least as long as the best.  task: by thread of it. */
void repro_ways_take(struct repro_ways *w, const struct run_result *r, const uint32_t *task);

/* The best one, changed; false when there is none. */
bool repro_ways_draw(const struct repro_ways *w, struct rng *rng, struct repro_choices_list *out);

#endif
