/*
 * One guest: the program under control with its control block, through as many jobs as it takes.
 *
 * The process is started by the first job that needs it and again after it died, hung or was
 * stopped.  A job with JOB_ONCE always gets a process of its own, which ends with the run.
 *
 * A guest belongs to one host thread at a time, and that thread must outlive the process (the
 * kernel kills the process with the thread that started it).
 */
#ifndef HEDDLE_RUN_GUEST_H
#define HEDDLE_RUN_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limit.h"
#include "run/guest/launch.h"
#include "run/guest/inputs.h"
#include "run/guest/result.h"

struct run_guest_opts {
	const struct run_program *program; /* borrowed; must outlive the guest */
	bool capture;			   /* keep what it prints instead of passing it through */
	int in_fd;	  /* its standard input, borrowed; -1 passes ours through */
	uint64_t hang_ns; /* no progress for so long is a hang; 0: wait for ever */
	struct run_ctl_sizes sizes;
	const struct limit *limit; /* reached: the job is given up (RUN_STOPPED); may be NULL */
	const struct run_inputs *inputs; /* what comes from outside; NULL: it comes from there */
	const char *trust; /* functions outside that are vouched for, by commas; may be NULL */
};

struct run_guest;

/* Makes the control block; starts nothing yet. */
int run_guest_new(const struct run_guest_opts *o, struct run_guest **out, struct err *e);
void run_guest_free(struct run_guest *g);

/*
 * Carries out one job; follow holds job->schedule_count choices.  0 means r holds a verdict,
 * whatever it is; an error means that the program could not be brought to its main function.
 */
int run_guest_job(struct run_guest *g, const struct wire_job *job, const struct wire_choice *follow,
		  struct run_result *r, struct err *e);

/* Another limit from now on, borrowed, NULL for none; returns the one before. */
const struct limit *run_guest_limit(struct run_guest *g, const struct limit *limit);

/* Ends the process, if any. */
void run_guest_stop(struct run_guest *g);

/* The block as the last job left it, for trace_capture(); borrowed. */
const struct run_ctl *run_guest_ctl(const struct run_guest *g);

/*
 * Starts the program with job and leaves it stopped before its first instruction, for a debugger to
 * attach.  The process is no longer supervised, and lives as long as the calling thread.
 */
int run_guest_start_stopped(struct run_guest *g, const struct wire_job *job,
			    const struct wire_choice *follow, pid_t *pid, struct err *e);

#endif
