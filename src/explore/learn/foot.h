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
 *
 * A thread that goes over n objects has n footprints of up to n classes.  When they have become too
 * many, large ones are no longer told apart: they are FOOT_ALL, which conflicts with everything.
 * Then more orders are looked at than matter, none is left out.
 */
#ifndef HEDDLE_LEARN_FOOT_H
#define HEDDLE_LEARN_FOOT_H

#include "explore/learn/intern.h"

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
	FOOT_PASS,   /* finds done what happens once: nobody undoes that */
	FOOT_ANY,    /* conflicts with everything */
	FOOT_KINDS,
};

#define FOOT_ALL (UINT32_MAX - 1) /* a footprint that is no set */

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
	} * memo, *met; /* of unions, of foot_meets() */
	VEC(struct foot_mask) masks; /* by class */
	size_t room; /* elements of all footprints before large ones become FOOT_ALL */
};

void foot_init(struct foot *f);
void foot_fini(struct foot *f);

uint32_t foot_class(struct foot *f, const struct foot_class *c);
/* Of sets, exactly. */
uint32_t foot_union(struct foot *f, uint32_t a, uint32_t b);
/* The same of what may follow; may be FOOT_ALL, and either may. */
uint32_t foot_future(struct foot *f, uint32_t a, uint32_t b);
/* Whether print has all of these classes. */
bool foot_covers(const struct foot *f, uint32_t print, uint32_t classes);
/* Whether something in footprint `print' conflicts with one of these classes. */
bool foot_meets(struct foot *f, uint32_t classes, uint32_t print);
/* The same of one class. */
bool foot_conflicts(struct foot *f, uint32_t c, uint32_t print);
/* Whether print has any class on the object. */
bool foot_names(const struct foot *f, uint32_t print, uint32_t object);
/* Whether print has a class of this kind on the object. */
bool foot_touches(const struct foot *f, uint32_t print, uint32_t object, enum foot_kind kind);

#endif
