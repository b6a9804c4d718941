/*
 * Footprints: what a thread may still do to objects that others use, as far as it is known.
 *
 * A class is a way to touch an object: by which thread, what it does to it (enum foot_kind), with
 * which locks held and after which threads were joined.  A footprint is a set of classes.  Two
 * classes conflict when the order of the two operations may matter and nothing keeps them apart:
 * locks that both hold, or a join of one thread that the other has behind it.
 *
 * A lock is two elements of a lock set's vocabulary: FOOT_EXCLUSIVE(object) and
 * FOOT_SHARED(object).
 */
#ifndef HEDDLE_LEARN_FOOT_H
#define HEDDLE_LEARN_FOOT_H

#include "learn/intern.h"

enum foot_kind {
	FOOT_READ,
	FOOT_WRITE,
	FOOT_LOCK,   /* blocks until it has the object for itself */
	FOOT_SHARE,  /* blocks while somebody has it for himself */
	FOOT_TRY,    /* looks whether it is free, blocks or not */
	FOOT_UNLOCK, /* gives it back */
	FOOT_SLEEP,  /* falls asleep at a condition */
	FOOT_WAKE,   /* wakes sleepers */
	FOOT_EXPIRE, /* may stop sleeping by itself */
	FOOT_TAKE,   /* blocks for a token */
	FOOT_GIVE,   /* adds a token */
	FOOT_MEET,   /* arrives at a barrier */
	FOOT_ANY,    /* conflicts with everything */
	FOOT_KINDS,
};

#define FOOT_EXCLUSIVE(object) ((object) * 2)
#define FOOT_SHARED(object) ((object) * 2 + 1)

struct foot_class {
	uint32_t thread, object;
	uint32_t kind;
	uint32_t locks, joined; /* interned sets */
};

/* The classes that conflict with one, as far as they have been judged. */
struct foot_mask {
	uint64_t *words;
	size_t count, judged;
};

struct foot {
	struct intern sets;
	VEC(struct foot_class) classes;
	VEC(uint32_t) index; /* of classes: open hash table, plus 1 */
	struct intern prints; /* footprints: sets of classes */
	struct foot_memo {
		uint32_t a, b, result, used;
	} * memo; /* of unions */
	VEC(struct foot_mask) masks; /* by class */
};

void foot_init(struct foot *f);
void foot_fini(struct foot *f);

uint32_t foot_class(struct foot *f, const struct foot_class *c);
uint32_t foot_union(struct foot *f, uint32_t a, uint32_t b);
/* Whether something in footprint `print' conflicts with class c. */
bool foot_conflicts(struct foot *f, uint32_t c, uint32_t print);
/* Whether print has a class of this kind on the object. */
bool foot_touches(const struct foot *f, uint32_t print, uint32_t object, enum foot_kind kind);

#endif
