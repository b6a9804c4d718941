/*
 * The program under control: what to start, and whether it can be started at all.
 */
#ifndef HEDDLE_RUN_PROGRAM_H
#define HEDDLE_RUN_PROGRAM_H

#include <stddef.h>

#include "base/err.h"

/* What to start.  Owned strings. */
struct run_program {
	char *path; /* absolute */
	char *cwd;
	char **argv; /* NULL-terminated, argv[0] as the user wrote it */
	char **envp; /* the user's, without heddle's own variables */
	char *input; /* file on its standard input, absolute; NULL: passed through */
};

#define RUN_PROGRAM_INIT                                                                           \
	{                                                                                          \
		NULL, NULL, NULL, NULL, NULL                                                       \
	}

/* *p must be zeroed; argv[0] is looked up as a shell does; environment and directory are those of
 * this process. */
int run_program_init(struct run_program *p, char *const *argv, struct err *e);
/* The same with every part given; copies them.  The arrays have their own counts. */
void run_program_set(struct run_program *p, const char *path, const char *cwd);
void run_program_set_argv(struct run_program *p, char *const *words, size_t n);
void run_program_set_envp(struct run_program *p, char *const *words, size_t n);
void run_program_fini(struct run_program *p);

/*
 * Says in one line why p cannot be run under control: missing, not a regular file, not executable,
 * not an ELF executable, static, not built with heddle.
 */
int run_program_check(const struct run_program *p, struct err *e);

#endif
