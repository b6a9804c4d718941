/* The executor (explore/published/executor.h) over mini programs. */
#ifndef MINI_EXEC_H
#define MINI_EXEC_H

#include "explore/published/executor.h"
#include "machine.h"

struct mini_exec {
	struct explore_executor base;
	const struct mini_program *p;
	uint64_t runs;
	uint64_t marked; /* runs with error marks */
};

void mini_exec_init(struct mini_exec *x, const struct mini_program *p, enum wire_model model);

#endif
