/* The search of product.h while it is on its way; private to product*.c. */
#ifndef HEDDLE_LEARN_PRODUCT_PRIV_H
#define HEDDLE_LEARN_PRODUCT_PRIV_H

#include "explore/learn/choose.h"
#include "explore/learn/estimate.h"
#include "explore/learn/product.h"
#include "explore/learn/seen.h"

/* A configuration on the way, and the actions still to be tried in it. */
struct product_frame {
	machine_config *config;
	size_t path;		     /* length of the path to it */
	struct wire_choice end;	     /* last choice of the path, which longer ones may extend */
	uint32_t first, next, count; /* of the actions */
	uint32_t last, spent; /* preemption bound: thread that came here, preemptions so far */
	uint32_t tries;	      /* how often its first action was asked for */
	double share;	      /* of the whole search: see estimate.h */
};

/* Waits for the program to show what comes after an action. */
struct product_parked {
	machine_config *config;
	struct machine_action action;
	struct model_schedule path;
	uint32_t last, spent;
	uint32_t tries;
	double share;
};

struct product {
	struct product_source *source;
	const struct product_opts *o;
	struct product_stats *stats;
	struct machine m;
	struct seen configs, states, races, questions;
	VEC(struct product_frame) stack;
	VEC(machine_config *) spare;
	struct choose_actions actions;
	struct model_schedule path;
	VEC(struct product_parked) waiting, resumed;
	VEC(struct model_schedule) asked;
	uint64_t most_states;		    /* of a pass that was begun anew */
	struct machine_accesses touched[2]; /* scratch of the search for races */
	uint64_t version;
	uint64_t untold; /* bytes of configurations made since the caller was asked */
	struct estimate estimate;
	bool over;
	struct err *e;
};

/* Tells the caller of a finding; the current path leads to it. */
void product_report(struct product *p, enum product_event event, uint32_t thread,
		    const struct learn_step *step, machine_config *c);
/* The execution is over: its values are a state. */
void product_count_state(struct product *p, machine_config *c);
/* Nobody can go on. */
void product_look_at_end(struct product *p, machine_config *c);
/* A thread has ended the process. */
void product_look_at_exit(struct product *p, machine_config *c);
/* c was reached by one action from `before', where the same was asked. */
void product_look_for_races(struct product *p, machine_config *before, machine_config *c);
/* Whether t waits for a lock that, over others or directly, waits for t. */
bool product_in_cycle(struct product *p, machine_config *c, uint32_t t);

/* Room for a configuration; a copy of one. */
machine_config *product_new_config(struct product *p);
machine_config *product_copy_config(struct product *p, const machine_config *c);
/* The program has answered, or will not be asked. */
void product_drop_parked(struct product *p, struct product_parked *w);
/* Whatever is on its way is dropped. */
void product_forget_all(struct product *p);
/*
 * An action waits for the program; f is how `before' was reached, and the current path has the
 * action already.
 */
void product_park(struct product *p, machine_config *before, const struct machine_action *a,
		  const struct product_frame *f);
void product_extend_path(struct product *p, machine_config *c, const struct machine_action *a);
/* The actions from `first' on are tried in c. */
void product_push_frame(struct product *p, const machine_config *c,
			const struct product_frame *from, uint32_t first);
/* The path is that to the frame's configuration again. */
void product_cut_path(struct product *p, const struct product_frame *f);

#endif
