/* heddle stable --memo: a run with a memory of schedules. */
#ifndef HEDDLE_CLI_STABLE_MEMORY_H
#define HEDDLE_CLI_STABLE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sha256.h"
#include "base/strbuf.h"
#include "wire/stable.h"

enum memory_mode { MEMORY_LEARN, MEMORY_USE, MEMORY_SHADOW };

struct memory {
	/* From the command line. */
	const char *cache;
	enum memory_mode mode;
	bool json, quiet;
	const char *policy, *log; /* as asked for; NULL: not */
	/* Its own. */
	const char *program; /* the file */
	char *const *argv;
	uint8_t build[SHA256_BYTES];
	char *replay, *own_log; /* temporary files */
	uint32_t plan;		/* that is used or was learned, 0: none */
	uint32_t races;
	bool hit, left, usable; /* usable: the cache may be written to */
	struct strbuf constraints, reason;
};

/*
 * Looks up what is known for these arguments and sets the environment of the run: a remembered
 * order on a hit, a log to learn from on a miss.  What is wrong with the cache is told, and the
 * program runs all the same; an error is one of the environment.
 */
int memory_before(struct memory *m, const char *program, char *const *argv, struct err *e);
/* The run is over: counts, learns, and tells (--json). */
void memory_after(struct memory *m, const struct stable_ctl *ctl, int status);
void memory_free(struct memory *m);

/* heddle stable memo WORD CACHE...; argv[0] is "memo". */
int memory_command(int argc, char **argv);

#endif
