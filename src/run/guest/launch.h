/*
 * Starting the program under control.  What to start is run/guest/program.h, supervision is run/guest/guest.h.
 *
 * Everything that moves addresses is held fixed: no address space randomisation, LD_BIND_NOW, a
 * constant value of HEDDLE_CTL, a constant stack limit (it decides where mappings begin).
 */
#ifndef HEDDLE_RUN_LAUNCH_H
#define HEDDLE_RUN_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "run/guest/program.h"

struct run_launch {
	const struct run_program *program;
	int ctl_fd;
	int in_fd;	/* becomes descriptor 0; -1 passes ours through */
	int out_fd;	/* becomes descriptors 1 and 2; -1 passes ours through */
	bool own_group; /* a process group of its own, so that all of it can be killed */
	bool stopped;	/* leave it stopped before its first instruction, for a debugger */
};

/* Starts it; *pid is our child. */
int run_launch_spawn(const struct run_launch *l, pid_t *pid, struct err *e);

#endif
