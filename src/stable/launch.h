/* One execution of a program with the runtime preloaded. */
#ifndef HEDDLE_STABLE_LAUNCH_H
#define HEDDLE_STABLE_LAUNCH_H

#include <stdbool.h>

#include "base/err.h"
#include "wire/stable.h"

struct stable_launch {
	const char *library; /* libheddle-stable.so */
	char *const *argv;   /* program and its arguments, ends with NULL */
	bool aslr;	     /* leave addresses random */
	/* Called while the program runs when there is something to show at once; NULL: never. */
	void (*urgent)(const struct stable_ctl *ctl, void *argument);
	void *urgent_argument;
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
void stable_launch_free(struct stable_launch *l);

#endif
