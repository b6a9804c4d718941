/*
 * Questions about one execution of a combination: is there an order of its events in which a thread
 * comes to a place and then does something else?
 *
 * Threads other than the one asked about may be anywhere on their paths by then (the prefix rule:
 * what they would do later need not be possible), and the process has not ended.
 */
#ifndef HEDDLE_HUNT_QUERY_H
#define HEDDLE_HUNT_QUERY_H

#include "hunt/exec.h"
#include "model/schedule.h"
#include "solve/strace/solve.h"

struct hunt_question {
	uint32_t thread;     /* of the trace */
	uint32_t conditions; /* so many of it hold: it has come so far */
	uint32_t events;     /* so many it has done */
	expr_id also;	     /* must not be 0 there; EXPR_NONE: nothing */
	expr_id value;	     /* wanted: its value in the order found; EXPR_NONE */
	const struct limit *limit;
};

struct hunt_reply {
	enum solve_answer answer;
	uint64_t value;
	uint64_t rounds, events;
	struct model_schedule schedule; /* SAT: up to the place, and then the thread alone */
	char reason[256];		/* UNKNOWN */
};

void hunt_ask(const struct hunt_exec *x, const struct hunt_question *q, struct hunt_reply *out);
void hunt_reply_fini(struct hunt_reply *r);

#endif
