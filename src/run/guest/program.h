/*
 * The program under control: what to start, and whether it can be started at all.
 */
#ifndef HEDDLE_RUN_PROGRAM_H
#define HEDDLE_RUN_PROGRAM_H

#include <stddef.h>

#include "base/err.h"
#include "run/guest/environment.h"

/* What to start.  Owned strings. */
struct run_program {
	char *path; /* absolute */
	char *cwd;
	char **argv; /* NULL-terminated, argv[0] as the user wrote it; stand-ins for secrets */
	char **envp; /* what it needs of the user's (environment.h); bundles keep these two */
	char *input; /* file on its standard input, absolute; NULL: passed through */
	/* As the user gave them, for native runs; never written anywhere.  NULL: not known. */
	char **own_argv, **own_envp;
	struct run_words said; /* names of the variables that have stand-ins */
};

#define RUN_PROGRAM_INIT                                                                           \
	{                                                                                          \
		.path = NULL                                                                       \
	}

/* *p must be zeroed; argv[0] is looked up as a shell does; environment and directory are those of
 * this process.  Variables named in `given' (run_environment_make()) are handed over as they are. */
int run_program_init(struct run_program *p, char *const *argv, const char *given, struct err *e);
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
