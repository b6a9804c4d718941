/*
 * The `solve' way of reproducing: execute the recorded paths without knowing what shared reads
 * returned (symex), then compute an order of all events that takes these paths and fails
 * (solve/strace/solve.h), as a schedule for a guest.
 */
#ifndef HEDDLE_REPRO_FOLLOW_H
#define HEDDLE_REPRO_FOLLOW_H

#include "base/limit.h"
#include "model/schedule.h"
#include "solve/strace/solve.h"
#include "trace/bundle/recording.h"

struct repro_follow_opts {
	const char *program; /* with bitcode; as it will be run under control */
	bool by_core;
	bool models[MODEL_COUNT];
	const struct limit *limit;
};

struct repro_follow_result {
	enum solve_answer answer;
	enum wire_model model;
	struct strace_counts counts;
	uint64_t events, rounds;
	uint64_t execute_ns, solve_ns;
	struct model_schedule schedule;
	char reason[512]; /* why there is no order, or why nobody knows */
};

/*
 * 0 with *out filled in: also when the paths could not be followed, which is UNKNOWN with the reason;
 * or an error: no bitcode, another build.
 */
int repro_follow(const struct trace_recording *r, const struct repro_follow_opts *o,
		 struct repro_follow_result *out, struct err *e);
void repro_follow_result_fini(struct repro_follow_result *r);

#endif
