/*
 * A command that works on what others sent, in a process without the rights of the collector: it
 * reads the system's programs and its own directory, writes only the latter, has no network, no
 * environment and no descriptors of the collector's, and ends with it.
 */
#ifndef HEDDLE_COLLECT_WORKER_H
#define HEDDLE_COLLECT_WORKER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

struct collect_worker {
	const char *dir;      /* its own */
	const char *programs; /* it may read and execute what is there */
	const char *self;     /* where heddle is installed */
	uid_t uid;	      /* 0: who the collector is */
	gid_t gid;
	unsigned seconds; /* then it is killed */
	const _Atomic bool *stop;
};

/* Does the kernel keep a worker from the files of others (Landlock)? */
bool collect_worker_confined(void);

/*
 * Runs argv (argv[0] is a path) with its output in the file, which is made.  *status is as from
 * waitpid.  ERR_LIMIT: it was killed after its time, or because the collector ends.
 */
int collect_worker_run(const struct collect_worker *w, char *const argv[], const char *output,
		       int *status, struct err *e);

#endif
