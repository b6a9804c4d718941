/*
 * The steps of which executions are made; private to model_*.  See model_exec.h.
 */
#ifndef HEDDLE_CHECK_MODEL_STEP_H
#define HEDDLE_CHECK_MODEL_STEP_H

#include "explore/live/model_exec.h"

/* What a step, or a whole attempt, came to; errors are negative, AGAIN and STOP pass through. */
enum model_verdict {
	MODEL_DONE = 0,
	MODEL_DIVERGED = 100,
	MODEL_LEARNED, /* begin the execution anew */
	MODEL_BROKEN,	 /* the thread fails, or an assumption does not hold */
	MODEL_OVER,	 /* the program has ended */
};

struct model_thread {
	uint32_t next;			/* index of its next event */
	bool first_done;		/* of an event in two parts */
	bool has_rest, held_back;	/* held back: its next step would end everything */
	struct solve_event rest;	/* what is still to come of the last event */
	uint64_t breaks_at;		/* what it had read when it was held back */
	struct solve_event issued[MACHINE_STORES]; /* stores in its buffer */
};

struct model_upcoming {
	struct solve_event e, half;
	enum model_shape shape;
	bool rest, first; /* the end of the last event; the beginning of one in two parts */
};

/* Puts things back to where they were before t broke off. */
struct model_mark {
	size_t history, path;
	struct wire_choice last;
	struct model_thread thread;
};

struct model_mark model_mark(struct model_exec *x, uint32_t t);
void model_go_back(struct model_exec *x, uint32_t t, const struct model_mark *m);

struct machine_action model_run_of(uint32_t t);
bool model_has_stores(struct model_exec *x, uint32_t t);

/* Performs an action and learns what comes after it when that is not known. */
int model_act(struct model_exec *x, const struct machine_action *a);

/* Takes all silent steps of t that can be taken. */
int model_settle(struct model_exec *x, uint32_t t);
/* What t would do next; false when it is at its end or cannot get there. */
bool model_look(struct model_exec *x, uint32_t t, struct model_upcoming *u);
/* Does it.  DIVERGED: it is not possible. */
int model_perform(struct model_exec *x, uint32_t t, struct model_upcoming *u);

/* Adds an event to the history; the same for one that was looked at, and moves on in its thread. */
void model_emit(struct model_exec *x, const struct solve_event *e);
void model_finish(struct model_exec *x, uint32_t t, const struct model_upcoming *u);

/* A store goes into the buffer, or from there into memory. */
int model_issue(struct model_exec *x, uint32_t t, const struct model_upcoming *u);
int model_commit(struct model_exec *x, uint32_t t, uint32_t place);
/* Where the store of t with this index is in its buffer; -1 when it is not there. */
int model_place_in_buffer(struct model_exec *x, uint32_t t, uint32_t index);

/* What follows the prefix, and what became of it all (model_proceed.c). */
int model_proceed(struct model_exec *x);
void model_conclude(struct model_exec *x, int verdict);

#endif
