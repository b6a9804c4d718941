/* Shared by the checks of this suite: result lines, and a comparison with the oracle. */
#ifndef EXPLORE_CHECK_H
#define EXPLORE_CHECK_H

#include <stdarg.h>
#include <stdio.h>

#include "explore/published/explore.h"
#include "mini/exec.h"
#include "mini/oracle.h"

struct check {
	const struct mini_program *p;
	const struct mini_oracle *oracle;
	uint64_t spurious; /* executions whose state the oracle does not know */
	uint8_t *shown;	   /* by state of the oracle */
	uint64_t found;	   /* distinct states shown */
	struct mini_exec exec;
	struct explore_stats stats;
	struct err err;
	int rc;
};

static inline int check_ran(void *arg, const struct explore_run *r)
{
	struct check *c = arg;

	const struct mini_outcome *o =
		mini_oracle_find(c->oracle, mini_history_key(&r->history, c->p));

	if (!o) {
		c->spurious++;
	} else if (!c->shown[o - c->oracle->states]) {
		c->shown[o - c->oracle->states] = 1;
		c->found++;
	}
	return 0;
}

/* Explores c->p with more options; c->oracle is filled in. */
static inline void check_explore_with(struct check *c, enum wire_model model,
				      struct explore_opts o)
{
	o.ran = check_ran;
	o.arg = c;
	c->spurious = c->found = 0;
	c->shown = xcalloc(c->oracle->count + 1, 1);
	c->err = (struct err)ERR_INIT;
	mini_exec_init(&c->exec, c->p, model);
	c->rc = explore(&c->exec.base, &o, &c->stats, &c->err);
}

static inline void check_explore(struct check *c, enum wire_model model,
				 enum explore_algorithm algorithm)
{
	check_explore_with(c, model, (struct explore_opts){.algorithm = algorithm});
}

/* States in which every thread ends that were not shown. */
static inline uint64_t check_missing(const struct check *c)
{
	uint64_t n = 0;

	for (size_t i = 0; i < c->oracle->count; i++)
		n += c->oracle->states[i].ends && !c->shown[i];
	return n;
}

static const char *const check_models[] = {"sc", "tso", "pso"};

#endif
