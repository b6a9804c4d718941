/* Every state a mini program can reach at its end, by exhaustive search over the machine. */
#ifndef MINI_ORACLE_H
#define MINI_ORACLE_H

#include "machine.h"

struct mini_oracle {
	struct mini_outcome {
		uint64_t key;	 /* mini_state_key() */
		uint64_t errors; /* most marks any execution of this state has */
		bool stuck;	 /* an execution with these reads ends in a deadlock */
		bool ends;	 /* one comes to its end */
	} * states;
	size_t count;	  /* sorted by key */
	size_t erroneous; /* states with marks */
	size_t visited;
	bool complete; /* false: gave up at the limit */
};

/* limit bounds the configurations visited. */
void mini_oracle_run(struct mini_oracle *o, const struct mini_program *p, enum wire_model model,
		     size_t limit);
void mini_oracle_fini(struct mini_oracle *o);
const struct mini_outcome *mini_oracle_find(const struct mini_oracle *o, uint64_t key);

#endif
