/*
 * What came out of one job, copied out of the control block and made safe: counts fit, strings
 * end, enumerations are in range.
 */
#ifndef HEDDLE_RUN_RESULT_H
#define HEDDLE_RUN_RESULT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"
#include "run/guest/ctl.h"

enum run_verdict {
	RUN_CLEAN,
	RUN_FAILURE,  /* wire.failure says what */
	RUN_LIMIT,    /* step limit */
	RUN_DIVERGED, /* the schedule did not fit: reason, wire.diverged_at */
	RUN_STEPDOWN, /* the engine cannot host the program: reason */
	RUN_TROUBLE,  /* no answer: reason */
	RUN_HUNG,     /* no answer within the limit, killed: reason names what it hung in */
	RUN_STOPPED,  /* the caller asked to stop */
};

struct run_note {
	char text[WIRE_NOTE_BYTES];
};

struct run_result {
	enum run_verdict verdict;
	char reason[512];
	struct wire_result wire;
	VEC(struct wire_choice) choices;
	VEC(struct wire_event) events;
	VEC(struct wire_thread) threads;
	VEC(struct wire_module) modules;
	VEC(struct run_note) notes;
	VEC(struct wire_unseen) unseen; /* of this process so far */
	VEC(struct wire_known) known; /* with JOB_SKIP_KNOWN */
	char *output;		      /* end of what the run printed, when captured; may be NULL */
	size_t output_bytes;
	bool output_cut; /* more was printed before it */
};

#define RUN_RESULT_INIT                                                                            \
	{                                                                                          \
		.verdict = RUN_TROUBLE                                                             \
	}

void run_result_free(struct run_result *r);

/* The guest answered: copies and checks everything.  Keeps r's buffers for reuse. */
void run_result_take(struct run_result *r, const struct run_ctl *c);

/* The process died without an answer; status as from waitpid. */
void run_result_died(struct run_result *r, const struct run_ctl *c, int status);

/*
 * The job was given up for this reason and the process is gone: r has the counts of the runs that
 * were complete.
 */
void run_result_stopped(struct run_result *r, const struct run_ctl *c, const char *why);

/* Empties r and sets the verdict with a reason. */
void run_result_set(struct run_result *r, enum run_verdict verdict, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Reads the end of a captured output file. */
void run_result_read_output(struct run_result *r, int fd);

/*
 * A number that two failures share when a user would call them the same bug: kind and place, and
 * for deadlocks the places of the threads in the cycle, or of all stuck ones when there is none.
 */
uint64_t run_result_key(const struct run_result *r);

const char *run_verdict_name(enum run_verdict verdict);

#endif
