/* The programs whose logs a collector merges, by their builds: what somebody put in a directory. */
#ifndef HEDDLE_COLLECT_PROGRAMS_H
#define HEDDLE_COLLECT_PROGRAMS_H

#include "store/logs.h"

struct collect_program {
	char *path;
	uint64_t changed, bytes;
	bool known; /* its build was found out */
	uint8_t build[STORE_BUILD_BYTES];
	char *args; /* of the file PROGRAM.args, or NULL */
};

struct collect_programs {
	char *dir;
	VEC(struct collect_program) list;
};

/* Looks again; what changed is asked for its build, which takes a while. */
void collect_programs_scan(struct collect_programs *p);
/* NULL: there is none. */
const struct collect_program *collect_programs_find(const struct collect_programs *p,
						    const uint8_t build[STORE_BUILD_BYTES]);
void collect_programs_fini(struct collect_programs *p);

#endif
