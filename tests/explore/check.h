/* Shared by the checks of this suite: result lines, and a comparison with the oracle. */
#ifndef EXPLORE_CHECK_H
#define EXPLORE_CHECK_H

#include <stdarg.h>
#include <stdio.h>

#include "explore/explore.h"
#include "mini/exec.h"
#include "mini/oracle.h"

struct check {
	const struct mini_program *p;
	const struct mini_oracle *oracle;
	uint64_t spurious; /* executions whose state the oracle does not know */
	struct mini_exec exec;
	struct explore_stats stats;
	struct err err;
	int rc;
};

static inline int check_ran(void *arg, const struct explore_run *r)
{
	struct check *c = arg;

	c->spurious += !mini_oracle_find(c->oracle, mini_history_key(&r->history, c->p));
	return 0;
}

/* Explores c->p; c->oracle is filled in. */
static inline void check_explore(struct check *c, enum wire_model model,
				 enum explore_algorithm algorithm)
{
	struct explore_opts o = {.algorithm = algorithm, .ran = check_ran, .arg = c};

	c->spurious = 0;
	c->err = (struct err)ERR_INIT;
	mini_exec_init(&c->exec, c->p, model);
	c->rc = explore(&c->exec.base, &o, &c->stats, &c->err);
}

static const char *const check_models[] = {"sc", "tso", "pso"};

#endif
