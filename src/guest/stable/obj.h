/*
 * What the runtime knows about synchronisation objects: their ordinal (first use within their kind,
 * so that a log never contains an address), their state when it is kept here (barrier, once), and
 * in which mode they were used.  Called by the holder of the turn, except where noted.
 */
#ifndef HEDDLE_RT_STABLE_OBJ_H
#define HEDDLE_RT_STABLE_OBJ_H

#include <stdbool.h>
#include <stdint.h>

enum obj_kind {
	OBJ_NONE,
	OBJ_MUTEX,
	OBJ_COND,
	OBJ_RWLOCK,
	OBJ_SEM,
	OBJ_BARRIER,
	OBJ_SPIN,
	OBJ_ONCE,
	OBJ_THREAD,
	OBJ_SOBA,
	OBJ_FUTEX,
	OBJ_STATE,
	OBJ_CHANNEL,
	OBJ_KINDS
};

enum obj_once { OBJ_ONCE_NEW, OBJ_ONCE_RUNNING, OBJ_ONCE_DONE };

struct obj {
	void *addr;
	uint8_t kind, shared, once, warned;
	uint32_t ordinal;
	uint32_t size, arrived; /* barrier */
	uintptr_t site;		/* caller of the first deterministic use */
};

/* Finds or creates.  The pointer is valid until the next call. */
struct obj *obj_get(enum obj_kind kind, void *addr);
/* Finds; NULL when unknown. */
struct obj *obj_find(enum obj_kind kind, void *addr);
/* A new object at addr: whatever was there is forgotten. */
struct obj *obj_new(enum obj_kind kind, void *addr);
void obj_forget(enum obj_kind kind, void *addr);

/*
 * Isolation: a thread outside the schedule used addr at site.  Any thread; needs no
 * turn.
 */
void obj_used_outside(void *addr, uintptr_t site);
/* The holder uses o at site: warns, once for each object, when it was used outside as well. */
void obj_check_isolation(struct obj *o, uintptr_t site);

#endif
