/*
 * Where jobs come from.
 *
 * A strategy hands out orders and learns what became of them; the campaign (run/fleet/campaign.h) carries
 * them out on one or several guests.  An order is a job of one or many runs, with a schedule prefix
 * if the strategy wants one: seeded strategies hand out ranges of seeds that the guest loops over
 * by itself, an exhaustive explorer would hand out one prefix per order and read the events of each
 * result in done().
 *
 * The campaign calls next() and done() under its lock, so a strategy needs none of its own.  Orders
 * are numbered as they are handed out; "the first failure" is the one of the lowest order and,
 * inside an order, of the lowest run, however many guests there are.
 */
#ifndef HEDDLE_RUN_STRATEGY_H
#define HEDDLE_RUN_STRATEGY_H

#include <stdint.h>

#include "run/guest/result.h"

struct run_order {
	struct wire_job job;		  /* the campaign fills in engine and deadline */
	const struct wire_choice *follow; /* job.schedule_count choices, the strategy's */
	uint64_t number;		  /* filled in by the campaign */
	void *tag;			  /* the strategy's own */
};

struct run_strategy {
	unsigned parallel; /* orders that may be out at the same time, 0: any number */
	/* 1: *order is filled.  0: nothing now; for good when no order is out. */
	int (*next)(struct run_strategy *s, struct run_order *order);
	/* The order was carried out or given up; r is the result of its last job. */
	void (*done)(struct run_strategy *s, const struct run_order *order,
		     const struct run_result *r);
	void (*free)(struct run_strategy *s);
};

/* The job every run of a campaign has in common; runs = 0 means no limit. */
struct run_strategy_opts {
	struct wire_job job;
	unsigned guests;
};

/* Ranges of seeds from job.seed on: all but DFS. */
struct run_strategy *run_strategy_seeds(const struct run_strategy_opts *o);
/* One systematic search: DFS. */
struct run_strategy *run_strategy_dfs(const struct run_strategy_opts *o);

void run_strategy_free(struct run_strategy *s);

#endif
