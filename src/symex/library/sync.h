/* What models of synchronisation objects share.  Private to symex/library. */
#ifndef HEDDLE_SYMEX_LIBRARY_SYNC_H
#define HEDDLE_SYMEX_LIBRARY_SYNC_H

#include "symex/library/library.h"

/*
 * The object: with one memory for all threads the one there is, apart the thread's own view of it,
 * which knows only what the thread did.
 */
struct machine_object *sync_object(struct machine *m, struct library_call *k, uint64_t addr,
				   uint32_t kind);
/* Argument n as the address of an object whose memory must be there. */
uint64_t sync_object_at(struct machine *m, struct library_call *k, unsigned n, uint64_t bytes,
			uint32_t site);
enum library_result sync_misuse(struct machine *m, struct library_call *k, uint32_t site,
				uint64_t addr, const char *what);
/* How an attempt ended, when nobody can tell: unknown, and the event carries it. */
enum library_result sync_unknown_attempt(struct machine *m, struct library_call *k,
					 struct symex_event *e);
/* The object of argument 0 begins or ends. */
void sync_life(struct machine *m, struct library_call *k, bool begins, uint32_t kind,
	       uint64_t value);
void sync_mutex_take(struct machine *m, struct library_call *k, uint64_t addr);
void sync_mutex_drop(struct machine_object *o);

#endif
