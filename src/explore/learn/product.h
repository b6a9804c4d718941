/*
 * Exhaustive search over the product of the learned threads.
 *
 * Idea.  The program is run only to learn what a thread does after outcomes it never met; all
 * executions that consist of known pieces are only thought through (machine.h).  Configurations
 * are remembered, so each is expanded once.  Where the order of steps cannot matter only one is
 * tried: a set of threads is enough when nothing the others may still do conflicts with the next
 * steps of its members (persistent sets, from the footprints in the trees).
 *
 * Footprints grow while threads are learned.  A pass that relied on one that grew later is
 * repeated; the last pass ran with footprints that did not change, and is complete: what the
 * others do before they touch a step's object they also do after that step, where the search has
 * seen it, so it is in their trees.
 *
 * States are counted at the ends of executions, by the outcomes of all reads.
 */
#ifndef HEDDLE_LEARN_PRODUCT_H
#define HEDDLE_LEARN_PRODUCT_H

#include "explore/learn/machine.h"
#include "model/schedule.h"

/* Where executions come from. */
struct product_source {
	struct learn *l;
	/*
	 * Runs the program under each path, has l learn from it, and goes on with the last thread of
	 * the path after it.  PRODUCT_AGAIN: l must be made anew and the search with it.
	 */
	int (*learn)(struct product_source *s, const struct model_schedule *paths, size_t n,
		     struct err *e);
};

#define PRODUCT_AGAIN 1
#define PRODUCT_STOP 2 /* the search is over: a failure or a limit of the source */

enum product_event {
	PRODUCT_FAILURE,  /* a thread fails after the last step of the path */
	PRODUCT_MISUSE,	  /* the last step of the path touches memory given back */
	PRODUCT_DEADLOCK, /* nobody can go on, or a thread closes a cycle of lock owners */
};

struct product_finding {
	enum product_event event;
	uint32_t thread;	       /* FAILURE, MISUSE, cycle */
	const struct learn_step *step; /* the failure, the misuse, the request that closes a cycle */
	const struct wire_choice *path;
	size_t count;
	const struct machine *machine;
	machine_config *config;
};

/* Two accesses side by side, nothing between them, not both atomic, one of them a write. */
struct product_race {
	uint32_t threads[2];
	uint16_t tids[2]; /* their numbers in a guest that follows the path */
	const struct learn_step *steps[2];
	bool writes[2];
	bool late[2]; /* a store that its thread has issued and memory has not seen */
	bool tears[2]; /* not one access of the processor: others may see it half done */
	const struct wire_choice *path; /* to where both stand */
	size_t count;
};

struct product_stats {
	uint64_t configs, steps, states, questions, batches, passes;
	uint64_t failures, deadlocks, assumed;
	uint64_t limited; /* ends where a limit stopped a thread */
	uint64_t left_behind; /* states in which the process ended while threads waited for ever */
	/*
	 * States in which the process ends though a thread stands at an assumption that does not
	 * hold: nobody waits for it, so it may end as well before that thread comes there.  They count
	 * only where no other execution keeps to the assumptions.
	 */
	uint64_t cut_short;
	uint64_t unknown; /* ends where a thread's next step could not be learned */
	uint32_t unknown_site; /* 1 + the site of the last of them; 0: none */
	uint64_t bytes;	  /* held for configurations and states at the end */
	uint64_t frontier;
	uint32_t threads;
	bool complete;
	/*
	 * Stores that reached memory early because the guest waits where a processor need not (or
	 * its buffer was full): 1 + the site of the last such wait, 0 when there was none.
	 */
	uint32_t needless;
	bool weak; /* atomic stores went through buffers */
	double expected; /* log10 of all configurations there may be; infinite: no idea */
};

struct product_opts {
	unsigned model;
	uint32_t loop_bound;   /* 0: none */
	bool spurious;	       /* sleepers may wake up, weak CAS may fail, for no reason */
	int64_t preemptions;   /* -1: no bound */
	uint64_t max_depth;    /* steps of an execution; 0: no limit */
	uint64_t max_configs;  /* 0: no limit */
	bool races; /* report all */
	bool torn;  /* at least those with what is not one access of the processor */
	/* Non-zero ends the search. */
	int (*found)(void *arg, const struct product_finding *f);
	int (*raced)(void *arg, const struct product_race *r);
	int (*tick)(void *arg, const struct product_stats *s); /* now and then */
	void *arg;
};

/* 0, PRODUCT_AGAIN, or an error of the source.  stats->complete: nothing was left out. */
int product_search(struct product_source *source, const struct product_opts *o,
		   struct product_stats *stats, struct err *e);

#endif
