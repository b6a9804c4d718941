/*
 * Shared by the files of complete exploration: complete.c (read its head first), complete_node.c
 * (what a node fixes), complete_frontier.c (nodes to look at, nodes met), complete_ask.c (questions
 * and what is known of their answers).  Private to them.
 */
#ifndef HEDDLE_EXPLORE_COMPLETE_H
#define HEDDLE_EXPLORE_COMPLETE_H

#include "base/lookup.h"
#include "explore/published/search.h"
#include "solve/causal.h"

struct work {
	struct work *next;
	struct wanted wanted;
	/* Nodes to look at again: for one target only. */
	bool again;
	struct solve_step target;
	uint32_t parent; /* where its thread stands before it */
	uint32_t state;	 /* execution it is about */
	uint64_t value;
	size_t steps;
	struct solve_step seed[];
};

/* Nodes to look at, in the order to do so, and the tuples of all nodes ever met. */
struct frontier {
	bool last_in_first_out;
	struct work *first, *last;
	struct work *postponed; /* what an atomic target writes was not known */
	VEC(uint32_t) tuples;	/* length, then nodes */
	struct lookup met;	/* by tuple; numbers are places in tuples */
	VEC(uint32_t) key;
};

void frontier_fini(struct frontier *f);
/* True when what is wanted was not met before. */
bool frontier_meet(struct frontier *f, const struct wanted *w);
void frontier_add(struct frontier *f, struct work *w);
/* The next node, NULL when there is none; the caller frees it. */
struct work *frontier_next(struct frontier *f);
struct work *frontier_work_new(const struct wanted *w, size_t steps);
void frontier_work_free(struct work *w);

/* A question known to have the answer no: the target with these events, without those. */
struct refusal {
	uint32_t event;
	enum solve_effect effect;
	uint64_t value;
	uint32_t must, must_count, avoid, avoid_count; /* in `events' */
	bool lasting;
};

struct refusals {
	VEC(struct refusal) items;
	VEC(uint32_t) events;
};

struct complete {
	struct explore_search *s;
	struct frontier frontier;
	const struct work *at;

	/* The execution at hand. */
	uint32_t state;
	struct solve_history h;
	struct past_list nodes;
	struct solve_causal *causal;
	uint8_t *is_frozen; /* by event: a read the node at hand has fixed */
	/* By event that is no plain write: the read before it in its thread or UINT32_MAX. */
	uint32_t *read_before;
	struct solve_seed must;
	struct refusals refusals;

	struct solve_seed seed;
	struct solve_conflict conflict; /* why the last question was refused */
	struct solve_values values;
	struct wanted wanted; /* by the seed */
	VEC(uint32_t) parts;  /* last reads per thread of a node, or UINT32_MAX */
	VEC(uint32_t) avoids; /* length, then events in order; all that were tried for a target */
};

/* complete_node.c */
/* Makes state `number' the execution at hand. */
void complete_look_at(struct complete *c, uint32_t number);
/* Marks the reads that w froze; the last event of each thread stands for those before it. */
void complete_enter(struct complete *c, const struct work *w);
/* The map the seed at hand realises, its target with the new value: c->wanted. */
void complete_freeze(struct complete *c, const struct solve_target *t);
/* What the target writes, when an execution has shown it; else the question is postponed. */
void complete_learn_effect(struct complete *c, struct solve_target *t);
/* Queues postponed nodes whose question can be answered now. */
void complete_resume(struct complete *c);

/* complete_ask.c */
/* SAT fills c->seed, UNSAT c->conflict. */
enum solve_answer complete_ask(struct complete *c, struct solve_target *t);
/* Forgets what is known of answers: only those that last, or all. */
void complete_forget(struct complete *c, bool all);

#endif
