/*
 * One trace of the executor, made with the decisions taken so far (decide.h): is there an order of it
 * that fails as recorded?
 */
#ifndef HEDDLE_REPRO_ATTEMPT_H
#define HEDDLE_REPRO_ATTEMPT_H

#include "repro/follow/follow.h"
#include "symex/follow/source.h"

enum repro_attempt_end {
	REPRO_ATTEMPT_OVER,  /* out->answer is the answer under out->model */
	REPRO_ATTEMPT_AGAIN, /* decisions were taken or taken back: to be executed again */
};

struct repro_attempt {
	struct follow_source *source;
	const struct repro_follow_opts *o;
	bool unsure; /* decisions were given up for what the executor cannot do, not for a conflict */
	char trouble[512]; /* what that was, the first time */
};

enum repro_attempt_end repro_attempt(struct repro_attempt *a, const struct symex_trace *trace,
				     struct repro_follow_result *out);

#endif
