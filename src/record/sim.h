/*
 * The backend `sim': one run on simulated cores under control (STRATEGY_CORES), as a recording.  The
 * same seed gives the same run.  What the recording says is what a recorder on such a machine would
 * have seen; the run itself is known exactly, which tests make use of.
 */
#ifndef HEDDLE_RECORD_SIM_H
#define HEDDLE_RECORD_SIM_H

#include "run/guest/program.h"
#include "trace/bundle/recording.h"

struct record_sim {
	const struct run_program *program; /* of the check flavour */
	const char *tool_version;
	uint32_t cores, model;
	uint64_t seed;
};

/* *r must be zeroed; r->status is the program's.  ERR_GUEST when the run gave no answer. */
int record_sim(const struct record_sim *o, struct trace_recording *r, struct err *e);

#endif
