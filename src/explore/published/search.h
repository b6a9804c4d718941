/* Shared by the algorithms: executing with bookkeeping, and the entry of each. */
#ifndef HEDDLE_EXPLORE_SEARCH_H
#define HEDDLE_EXPLORE_SEARCH_H

#include "explore/published/explore.h"
#include "explore/published/states.h"

struct explore_search {
	struct explore_executor *x;
	const struct explore_opts *o;
	struct explore_stats *stats;
	struct states states;
	struct explore_run run;
	bool over; /* a limit or the caller ended it */
	struct err *e;
};

/*
 * Runs the program under a prefix into s->run, counts, tells the caller.  *fresh: its reads were
 * new.  A diverged run is counted as such and has no state: *number is STATE_NONE.
 */
int explore_execute(struct explore_search *s, const struct solve_step *prefix, size_t n,
		    uint32_t *number, bool *fresh);

/* The same for a run that has been made and is in s->run. */
int explore_account(struct explore_search *s, uint32_t *number, bool *fresh);

/* Looks at the limit; what would be asked for is given up, and the search ends. */
bool explore_gives_up(struct explore_search *s);

int explore_complete(struct explore_search *s);
int explore_classic(struct explore_search *s);
int explore_dfs(struct explore_search *s);
int explore_dpor(struct explore_search *s);

#endif
