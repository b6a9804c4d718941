/*
 * What must happen before what in every run of a symbolic trace, whatever its reads return: program
 * order as far as the memory model keeps it, beginnings and ends of threads, and, when they were
 * recorded, the order of writes on a core and the switches between the threads of a core.
 *
 * A switch drains the store buffer and belongs to one core, so all of a segment comes before all of
 * the next one on the core, and before all of the next one of its thread, under every model (H3,
 * section 6).  A switch is a node of its own: the edges stay linear in number.
 *
 * Nodes are numbered in an order that respects all edges and follows the times of the events where
 * they say something: that is the order a solver begins with.
 */
#ifndef HEDDLE_SOLVE_STRACE_FACTS_H
#define HEDDLE_SOLVE_STRACE_FACTS_H

#include "solve/strace/strace.h"
#include "wire/ctl.h"

struct strace_edge {
	uint32_t a, b;
};

struct strace_edges {
	VEC_FIELDS(struct strace_edge);
};

struct strace_facts_opts {
	enum wire_model model;
	bool cores;    /* use the order of writes on a core */
	bool segments; /* use the switches */
};

struct strace_facts {
	const struct strace *t;
	struct strace_facts_opts o;
	uint32_t nodes;
	uint32_t *node;	 /* by event */
	uint32_t *event; /* by node; STRACE_NONE: a switch */
	struct strace_edges edges;
	uint64_t order, core, life; /* how many of them, by family: Phi_mo, Phi_core, fork and join */
	bool contradiction; /* they form a circle: no run can be like that */
	/* Bit rows by node: what comes after it.  NULL when there are too many nodes. */
	uint64_t *after;
	size_t row;
};

void strace_facts_init(struct strace_facts *f, const struct strace *t,
		      const struct strace_facts_opts *o);
void strace_facts_fini(struct strace_facts *f);

/* Whether event a comes before event b in every run; false when it is not known. */
bool strace_facts_before(const struct strace_facts *f, uint32_t a, uint32_t b);

#endif
