/*
 * The environment a program gets under control, which is also the one its bundle keeps: what the
 * program needs, and no secrets.
 *
 * A variable is needed when the program or one of its libraries has its name in its data (whatever
 * the case; a string that ends in '_' stands for every name that begins so), or when the system
 * looks at it, or when it stands in the arguments. A program that hands its environment on (exec,
 * system, environ, dlopen) needs all. A secret (wire/secret.h) that is needed has a stand-in, also
 * in the arguments.
 */
#ifndef HEDDLE_RUN_ENVIRONMENT_H
#define HEDDLE_RUN_ENVIRONMENT_H

#include <stddef.h>

#include "base/vec.h"

struct run_words {
	VEC_FIELDS(char *);
};

/* HEDDLE_* and LD_BIND_NOW: a stray one would change addresses or behaviour. */
int run_environment_is_ours(const char *entry);

struct run_environment_source {
	const char *path;  /* of the program */
	char *const *argv; /* its arguments; NULL-terminated, may be NULL */
	char *const *from; /* the entries to choose from, NULL-terminated */
	const char *given; /* names that are handed over as they are, separated by commas; "all":
			      everything but secrets; may be NULL */
};

/*
 * The entries that the program needs, with stand-ins.  Copies of secrets' values are added to
 * *secrets and their names to *said; NULL-terminated result, all owned by the caller.
 */
char **run_environment_make(const struct run_environment_source *s, struct run_words *secrets,
			    struct run_words *said);

/* text with a stand-in for every secret in it; caller frees. */
char *run_environment_hide(const struct run_words *secrets, const char *text);

void run_words_fini(struct run_words *w);

#endif
