/* Running other programs and waiting for them. */
#ifndef HEDDLE_BASE_PROC_H
#define HEDDLE_BASE_PROC_H

#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

struct proc_result {
	int status;   /* as from waitpid */
	char *out;    /* what it printed on stdout (and stderr if merged), when asked for; caller frees */
	size_t out_bytes;
};

enum proc_flag {
	PROC_CAPTURE = 1, /* collect stdout */
	PROC_MERGE = 2,	  /* stderr goes where stdout goes */
	PROC_QUIET = 4,	  /* stdout and stderr to /dev/null */
};

/* Runs argv (argv[0] looked up in PATH) to its end. */
int proc_run(char *const argv[], unsigned flags, struct proc_result *result, struct err *e);

/* Exit status in the shell's sense: 128 + signal when killed. */
int proc_exit_code(int wait_status);

#endif
