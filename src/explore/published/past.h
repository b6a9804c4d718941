/*
 * What threads have read, as a tree per thread.
 *
 * What a thread does is a function of the values its reads returned.  A node of the tree stands for
 * such a sequence of values; it carries the events the thread performs from there up to and
 * including its next read (its segment), which are stored once however many executions share them.
 * An execution is a leaf per thread, and what has been fixed of an execution is a node per thread:
 * a tuple of small numbers.
 *
 * Node 0 stands for "nothing read yet" in every thread; the segment of thread t there belongs to
 * its root.
 */
#ifndef HEDDLE_EXPLORE_PAST_H
#define HEDDLE_EXPLORE_PAST_H

#include "base/err.h"
#include "base/lookup.h"
#include "solve/history.h"

struct past_list {
	VEC_FIELDS(uint32_t);
};

struct past_node {
	uint32_t parent, thread, depth;
	uint64_t value;	    /* returned by the read that leads here */
	uint64_t written;   /* by that read, when it is an RMW that writes */
	bool writes, known; /* an execution has been here */
	struct solve_history segment;
	struct past_list states; /* executions that pass through, by number */
};

struct past {
	VEC(struct past_node) nodes;
	VEC(uint32_t) roots; /* by thread */
	struct lookup children; /* by parent and value */
};

void past_init(struct past *p);
void past_fini(struct past *p);

uint32_t past_root(struct past *p, uint32_t thread);
/* The node reached from `from' (0: the root of thread) when its next read returns value. */
uint32_t past_child(struct past *p, uint32_t from, uint32_t thread, uint64_t value);
/* The same without making it: 0 when it is not there. */
uint32_t past_look(const struct past *p, uint32_t from, uint64_t value);
/* Whether node is `below' or an ancestor of it; 0 is an ancestor of all. */
bool past_covers(const struct past *p, uint32_t node, uint32_t below);

/*
 * Follows events of one thread in program order and takes over what is new.  Returns the node
 * reached; ERR_INTERNAL when the thread did something else than before after the same reads: then
 * something the tool does not control has an influence.
 */
int past_follow(struct past *p, uint32_t thread, const struct solve_event *const *events, size_t n,
		uint32_t *node, struct err *e);
/* Appends the events on the way to node, and n of those after it, in program order. */
void past_replay(struct past *p, uint32_t thread, uint32_t node, size_t n,
		 struct solve_history *out);

#endif
