/* One execution of a program with the runtime preloaded. */
#ifndef HEDDLE_STABLE_LAUNCH_H
#define HEDDLE_STABLE_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "wire/stable.h"

struct stable_launch {
	const char *library; /* libheddle-stable.so */
	char *const *argv;   /* program and its arguments, ends with NULL */
	bool aslr;	     /* leave addresses random */
	/* Called while the program runs when there is something to show at once; NULL: never. */
	void (*urgent)(const struct stable_ctl *ctl, void *argument);
	void *urgent_argument;
	/* Standard input and output, error included, -1: ours.  NULL: all are ours. */
	const int *streams;
	bool apart; /* a process group of its own, which ends with us */
	/* While it runs. */
	pid_t pid;
	char *ctl_path;
	/* Results. */
	int status;		/* as from waitpid */
	struct stable_ctl *ctl; /* what the runtime left; stable_launch_free() unmaps it */
};

/*
 * Refuses what cannot be preloaded: not an executable, statically linked, set-user-ID or with
 * capabilities, another architecture.  *path is the program found in PATH; the caller frees it.
 */
int stable_launch_check(const char *program, char **path, struct err *e);

/*
 * Runs the program to its end; standard streams pass through; signals that ask heddle to end are
 * passed on to it.  Settings travel in the environment (HEDDLE_STABLE_*), set by the caller.
 */
int stable_launch_run(struct stable_launch *l, const char *path, struct err *e);

/* The same in two steps, for callers that wait themselves: l->pid is the program … */
int stable_launch_begin(struct stable_launch *l, const char *path, struct err *e);
/* … and it has ended, or never began. */
void stable_launch_end(struct stable_launch *l);
void stable_launch_free(struct stable_launch *l);

#endif
