/*
 * Switch equivalence of seeds, as published and strengthened.
 *
 * Two seeds of one execution are switch equivalent when following one and then what the other adds
 * gives both targets their values, whichever comes first.  Then one of the two orders is enough.
 * Before they are combined, each is extended to the end of the critical sections it is in.
 * As published only the targets are looked at, which loses states; the strengthened test looks at
 * every read and at the memory in the end.
 */
#ifndef HEDDLE_EXPLORE_SE_H
#define HEDDLE_EXPLORE_SE_H

#include "solve/causal.h"

struct se_seed {
	struct solve_seed events; /* places in the history, target included */
	uint32_t target;
	uint64_t value;
};

struct se_steps {
	VEC_FIELDS(struct solve_step);
};

/* A seed that need not follow: its steps, and the read it is for with its value. */
struct se_skip {
	struct se_steps steps;
	struct solve_step target;
	uint64_t value;
};

struct se_world {
	const struct solve_history *h;
	uint64_t (*initial)(void *arg, uint64_t object); /* memory the seeds begin with */
	void *arg;
	bool strong;
};

/*
 * When a and b are switch equivalent, appends to *rest what is left to do after a and returns true.
 */
bool se_equivalent(const struct se_world *w, const struct se_seed *a, const struct se_seed *b,
		   struct se_steps *rest);

#endif
