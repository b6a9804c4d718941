/*
 * A guest that is not one: the test executable, started again by run/ with HEDDLE_CTL in its
 * environment, answers over the control block as argv[1] says and never reaches main.
 *
 *   sim        a simulated program of two threads with OPS operations each, scheduled by job.seed
 *              or by the schedule; it fails when T1 runs operation 3 between operations 2 and 4 of
 *              T0 and T0 has not yet finished
 *   clean      every run is clean
 *   garbage    counts, kinds and strings nobody should believe
 *   stepdown   the reset engine cannot, fork can
 *   dies       killed by SIGSEGV while running
 *   early      prints a line and exits before READY
 *   pauses     answers READY, then pause()
 *   reads      answers READY, then reads descriptor 0
 *   spins      answers READY, then computes for ever
 *   limit      every run ends at the step limit
 *   dfs        five schedules, then exhausted
 */
#ifndef HEDDLE_TESTS_UNIT_RUN_SUPPORT_FAKE_H
#define HEDDLE_TESTS_UNIT_RUN_SUPPORT_FAKE_H

#include "run/guest/guest.h"

#define FAKE_OPS 8

/* Makes a guest whose process behaves so; *program must be zeroed and outlive it. */
void fake_opts(struct run_guest_opts *o, struct run_program *program, const char *behaviour);

#endif
