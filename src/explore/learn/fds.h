/*
 * Descriptors in thought: states of wire/fds.h and calls on them, each kept once, and what a call
 * does in a state, computed once.
 *
 * State 0 is the one in which nothing has been made yet.
 */
#ifndef HEDDLE_LEARN_FDS_H
#define HEDDLE_LEARN_FDS_H

#include <stdbool.h>

#include "base/vec.h"
#include "wire/fds.h"

#define LEARN_FDS_NO_CALL UINT32_MAX

struct learn_fds_move {
	uint32_t state, call; /* of which it is the answer */
	uint32_t next;	      /* state after it */
	bool blocks;
	uint64_t outcome; /* fds_outcome() */
};

/* Numbers by hash, open addressing; 0 is an empty place, so numbers are kept plus 1. */
struct learn_fds_index {
	uint32_t *places;
	size_t capacity, used;
};

struct learn_fds_blob {
	size_t at, size;
};

/* Byte strings, each kept once. */
struct learn_fds_blobs {
	VEC(uint8_t) bytes;
	VEC(struct learn_fds_blob) items;
	struct learn_fds_index index;
};

struct learn_fds {
	struct learn_fds_blobs states, calls;
	VEC(struct learn_fds_move) moves;
	struct learn_fds_index index; /* of moves */
	struct fds_world *world;      /* scratch */
	unsigned char *answer;
};

void learn_fds_init(struct learn_fds *f);
void learn_fds_fini(struct learn_fds *f);

/* The number of a call as it was logged in n bytes; LEARN_FDS_NO_CALL when they are none. */
uint32_t learn_fds_call(struct learn_fds *f, const uint8_t *bytes, size_t n);
/* The operation of a call, enum fds_op. */
unsigned learn_fds_op(const struct learn_fds *f, uint32_t call);
/* What the call does in the state. */
struct learn_fds_move learn_fds_move(struct learn_fds *f, uint32_t state, uint32_t call);

#endif
