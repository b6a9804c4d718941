/*
 * Synchronisation objects as the model sees them, in a side table keyed by address; the program's
 * own memory of a pthread_mutex_t is left as the real initialiser made it.
 *
 * Entries appear on first use (static initialisers) or at *_init, and go at *_destroy.
 */
#ifndef HEDDLE_RT_SCHED_OBJ_H
#define HEDDLE_RT_SCHED_OBJ_H

#include "rt/rt.h"

struct rt_obj {
	uint64_t addr;
	uint8_t kind;	/* enum wire_obj */
	uint8_t type;	/* hook's own: recursive, errorcheck, … */
	uint8_t robust, state;
	uint32_t owner;	 /* tid, THREAD_NONE when free */
	uint32_t count;	 /* depth, readers, tokens, arrivals */
	uint32_t limit;	 /* barrier size */
	uint32_t round;	 /* barrier generation, condition sequence */
	uint32_t waiters;
	uint32_t site;	 /* of the last acquisition */
	uint32_t init_site;
	uint64_t extra[2];
	uint32_t next;	 /* hash chain */
	uint32_t spare;
};

/* Finds it; NULL when there is no entry. */
struct rt_obj *obj_find(uint64_t addr);
/* Finds or makes it.  An entry of another kind at the same address is replaced. */
struct rt_obj *obj_get(const void *addr, enum wire_obj kind);
/* Before changing any field: keeps the old contents for the reset engine. */
void obj_touch(struct rt_obj *o);
void obj_remove(struct rt_obj *o);

#endif
