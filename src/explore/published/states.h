/*
 * The states seen so far, one per execution worth keeping: for each thread where in the tree of
 * past.h it ended, and the order in which everything happened.  A few bytes per event and state;
 * the events themselves are in the tree.
 */
#ifndef HEDDLE_EXPLORE_STATES_H
#define HEDDLE_EXPLORE_STATES_H

#include "base/lookup.h"
#include "explore/published/executor.h"
#include "explore/published/past.h"

#define STATE_NONE UINT32_MAX

/* Per thread what is fixed: nodes of the tree, 0 for nothing; missing entries are 0. */
struct frozen {
	VEC_FIELDS(uint32_t);
};

struct state {
	struct state_part {
		uint32_t node, tail; /* where the thread ended: node, events after it */
		uint32_t next;	     /* index of the event it would do next */
	} * parts;
	uint32_t threads;
	uint32_t *order; /* the history as places in program order, thread by thread */
	uint32_t events;
	/* Operations that blocked threads stand at, when it ended in a deadlock. */
	struct solve_event *pending;
	uint32_t pending_count;
};

/* What an execution must show: values, and per thread how many events at least. */
struct wanted {
	struct frozen frozen;
	struct frozen steps; /* index after the last event wanted of a thread, 0: none */
};

struct states {
	struct past past;
	VEC(struct state) items;
	struct lookup by_nodes; /* by tuple of nodes */
	size_t bytes; /* held, without the tree */
};

void states_init(struct states *s);
void states_fini(struct states *s);

/* Takes over an execution; *fresh says whether its reads, or where its threads ended, were new. */
int states_add(struct states *s, const struct explore_run *run, uint32_t *number, bool *fresh,
	       struct err *e);
/* A state that agrees with w, STATE_NONE when there is none. */
uint32_t states_find(const struct states *s, const struct wanted *w);
bool states_agree(const struct states *s, uint32_t number, const struct wanted *w);
/*
 * The history again, pending operations last; nodes[i] is where the i-th event's thread stands
 * after it.
 */
void states_history(struct states *s, uint32_t number, struct solve_history *h,
		    struct past_list *nodes);

#endif
