/*
 * Synchronisation objects as the model sees them, in a side table keyed by address; the program's
 * own memory of a pthread_mutex_t is left as the real initialiser made it.
 *
 * Entries appear on first use (static initialisers) or at *_init, and go at *_destroy.
 */
#ifndef HEDDLE_RT_SCHED_OBJ_H
#define HEDDLE_RT_SCHED_OBJ_H

#include "guest/check/rules.h"

struct rt_obj {
	uint64_t addr;
	uint8_t kind;	/* enum wire_obj */
	uint8_t type;	/* hook's own: recursive, errorcheck, … */
	uint8_t robust, state;
	union {		/* what the rules say of it, by kind */
		struct rule_mutex mutex; /* spin locks too */
		struct rule_rwlock rwlock;
		struct rule_sem sem;
		struct rule_barrier barrier;
		struct rule_once once;
	};
	uint32_t round;	 /* barrier generation */
	uint32_t waiters;
	uint32_t site;	 /* of the last acquisition */
	uint32_t init_site;
	uint64_t extra[2];
	uint32_t next;	 /* hash chain */
	uint32_t spare;
};

_Static_assert(offsetof(struct rule_mutex, owner) == 0 &&
		       offsetof(struct rule_rwlock, writer) == 0 &&
		       offsetof(struct rule_once, owner) == 0,
	       "obj_owner() looks at the first word");

/* tid of the thread that has the lock for itself, or runs the initialiser; THREAD_NONE. */
static inline uint32_t obj_owner(const struct rt_obj *o)
{
	return o->mutex.owner == RULE_NOBODY ? THREAD_NONE : o->mutex.owner - 1;
}

/* Finds it; NULL when there is no entry. */
struct rt_obj *obj_find(uint64_t addr);
/* Finds or makes it.  An entry of another kind at the same address is replaced. */
struct rt_obj *obj_get(const void *addr, enum wire_obj kind);
/* Before changing any field: keeps the old contents for the reset engine. */
void obj_touch(struct rt_obj *o);
void obj_remove(struct rt_obj *o);

#endif
