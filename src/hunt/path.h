/*
 * Paths of threads, and combinations of them.
 *
 * A path is what a thread was told wherever its code alone does not say how it goes on: the way of
 * every point (ir/canon.h) in the order of execution, the outcomes of attempts, and the addresses
 * of accesses through pointers that were read from shared memory.  Ways that follow from the rest
 * are kept too: whether a branch depends on shared memory changes with what other threads do.
 *
 * A thread is known by who created it as which child, whatever number an execution gives it.
 */
#ifndef HEDDLE_HUNT_PATH_H
#define HEDDLE_HUNT_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sha256.h"
#include "base/vec.h"
#include "symex/symex.h"

#define HUNT_NONE UINT32_MAX
#define HUNT_MAIN UINT64_C(1) /* key of the first thread */

/* The way of a point. */
struct hunt_way {
	uint32_t unit, point;
	uint64_t value;
	/* Of this execution, for who explores from it: */
	expr_id expr;	    /* it depended on shared memory; 0: it was known */
	uint32_t condition; /* number of the condition of its thread that says so */
	uint32_t successors;
	uint32_t site;
	uint8_t ask; /* enum symex_ask */
	bool turned; /* told to go another way than it did: the path is free behind it */
};

/* An outcome or an address: asked for at a place of the thread. */
struct hunt_pick {
	uint32_t tix, site, nth; /* nth: of its kind at that place */
	uint8_t ask, kind;	 /* SYMEX_ASK_OUTCOME: enum event_kind */
	uint64_t value;
	expr_id expr;
	uint32_t condition;
	uint32_t ways; /* so many of the thread's were taken before it */
	bool open;     /* an address that nobody knows yet: the thread ended there */
};

struct hunt_path {
	uint64_t key;
	VEC(struct hunt_way) ways;
	VEC(struct hunt_pick) picks;
};

struct hunt_paths {
	VEC_FIELDS(struct hunt_path);
};

uint64_t hunt_key_child(uint64_t parent, uint32_t ordinal);

/* The path of a thread, NULL when it is not there. */
struct hunt_path *hunt_paths_find(const struct hunt_paths *p, uint64_t key);
struct hunt_path *hunt_paths_get(struct hunt_paths *p, uint64_t key);
void hunt_paths_copy(struct hunt_paths *to, const struct hunt_paths *from);
/* What they take of memory, about. */
uint64_t hunt_paths_bytes(const struct hunt_paths *p);
void hunt_paths_fini(struct hunt_paths *p);

/* Everything behind the first n ways is forgotten, and what was picked after them. */
void hunt_path_cut(struct hunt_path *p, size_t n);

/*
 * What a combination is known by, also in other runs of heddle: a hash of all its ways and picks
 * that nobody can make two of by accident, whatever order the threads are in.
 */
struct hunt_key {
	uint8_t bytes[SHA256_BYTES];
};
void hunt_paths_key(const struct hunt_paths *p, struct hunt_key *out);
/*
 * What a thread has to do when these ways of its path go the other way: its path up to the last of
 * them, each turned; what follows is free.  *out gets that one path.
 */
void hunt_path_flipped(const struct hunt_path *p, const size_t *ways, size_t n,
		       struct hunt_paths *out);

/* Of the first n ways, with the picks made before the last of them was over. */
uint64_t hunt_path_hash(const struct hunt_path *p, size_t n);

/* The pick for a question, NULL when there is none. */
struct hunt_pick *hunt_path_pick(const struct hunt_path *p, const struct hunt_pick *like);

#endif
