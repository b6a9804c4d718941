/*
 * Runs a program natively with the recording runtime in it: real threads, all cores, its own
 * streams and terminal.  heddle only waits, hands signals on, and, when asked, watches for a hang.
 */
#ifndef HEDDLE_RECORD_LAUNCH_H
#define HEDDLE_RECORD_LAUNCH_H

#include "record/live.h"
#include "run/guest/program.h"

struct record_launch {
	const struct run_program *program;
	const char *executable; /* what is executed: the program or a form of it made for recording */
	const char *preload;	/* library to preload, NULL: none */
	uint64_t hang_ns;	/* 0: do not watch */
	struct record_live *live;
	int status; /* result: as from waitpid */
};

int record_launch(struct record_launch *l, struct err *e);

/*
 * Does the run count as failed?  Fills the failure from the way the process ended when the runtime
 * could not (SIGKILL); a failure that the program survived is taken back.
 */
bool record_launch_failed(int status, struct record_failure *f);

#endif
