/*
 * Turning the events of a recording into events of a trace: what the parts of the bundle front end
 * (bundle.h) share.  One event of the recording may become several; exactly one of them stands for
 * it, the others add to its meaning.
 */
#ifndef HEDDLE_PREDICT_MAKER_H
#define HEDDLE_PREDICT_MAKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "predict/read/bundle.h"
#include "predict/read/feed.h"
#include "predict/read/places.h"
#include "predict/read/stacks.h"
#include "predict/read/trace.h"
#include "trace/bundle/bundle.h"

/* Flags of accesses to locations that stand for something else than memory. */
#define PREDICT_MAKER_STATE (PREDICT_ATOMIC | PREDICT_STATE)

/* A waiter that a signal woke: where it began to wait and where it went on. */
struct predict_waking {
	uint32_t sig, begin, wake;
};

struct predict_waiter {
	uint64_t cond;
	uint32_t tid;
};

struct predict_effect {
	uint8_t op;
	uint32_t loc;
};

struct predict_grave {
	uint64_t lock;
	size_t last; /* event of the thread that held it, before another one took it */
};

/* Signals sent to a thread, or to all of them. */
struct predict_kill {
	uint32_t tid; /* THREAD_NONE: the process */
	uint64_t number;
	uint32_t event; /* of the trace */
};

struct predict_maker {
	const struct trace_bundle *b;
	struct predict_trace *t;
	struct predict_origin *origin;
	struct predict_feed *feed;
	struct predict_places places;
	struct predict_names objects;	    /* kind, address and life of what has a name already */
	VEC(uint32_t) object_names;	    /* by object: its number in the table of its kind */
	VEC(struct predict_waking) wakings; /* by signal */
	VEC(struct predict_effect) effects; /* of the signal being looked at */
	VEC(struct predict_waiter) waiters; /* every thread that ever waits on a condition */
	uint32_t *sig_of;		    /* by wire event: the signal that woke this one */
	uint8_t *expired;		    /* by thread: its wait has timed out */
	VEC(struct predict_grave) graves;
	VEC(uint64_t) tried; /* locks somebody failed to take */
	VEC(uint64_t) onces; /* that ended in the recording */
	uint32_t *became;    /* by wire event: the OP_SIG it became, or PREDICT_NONE */
	struct predict_stacks stacks;
	uint32_t *branch_count; /* by thread, so far */
	uint32_t *next_tix; /* by thread: of the event that would follow its last one directly */
	VEC(struct predict_kill) kills; /* the last of each kind */
	bool branches;			/* are wanted, when recorded */
	bool markers;			/* branches are recorded and wanted */
	uint32_t frame;			/* the event being looked at happens in */
	bool direct;   /* it is the entry of a function that was called by its name */
	bool glued;    /* it is one step with the event before it */
	bool together; /* what is made of it is one step */
	bool begun;    /* something was made of it */
	size_t i;      /* event being looked at */
	struct err *e;
};

/* Everything but the trace, which stays with the caller. */
void predict_maker_init(struct predict_maker *m, const struct trace_bundle *b);
void predict_maker_fini(struct predict_maker *m);

const struct wire_event *predict_maker_current(const struct predict_maker *m);

/* Numbers in the tables of names; each is the same for the whole life of the thing. */
uint32_t predict_maker_thread(struct predict_maker *m, uint32_t tid);
uint32_t predict_maker_object(struct predict_maker *m, struct predict_names *names, char kind,
			      uint64_t addr);
/* A location that stands for something else than memory: a lock, a descriptor, the clock. */
uint32_t predict_maker_state(struct predict_maker *m, const char *what, uint64_t number);
/* A name of its own: the variable's, with address and life when that one is taken. */
uint32_t predict_maker_name(struct predict_maker *m, struct predict_names *names, uint64_t addr,
			    const char *hint);
uint32_t predict_maker_site(struct predict_maker *m);

/* Adds an event; stands: it stands for the event of the recording. */
uint32_t predict_maker_event(struct predict_maker *m, struct predict_event ev, bool stands);
uint32_t predict_maker_add(struct predict_maker *m, uint8_t op, uint32_t object, uint16_t flags);
/* One that only adds to its meaning. */
uint32_t predict_maker_more(struct predict_maker *m, uint8_t op, uint32_t object, uint16_t flags);

/* What the event does may depend on what the thread has read, and no branch says so. */
void predict_maker_depend(struct predict_maker *m);

/* Locks.  One that somebody failed to take has its state written at both ends of a section. */
uint32_t predict_maker_lock(struct predict_maker *m, uint64_t addr);
void predict_maker_acquire(struct predict_maker *m, uint64_t lock, uint8_t flags);
void predict_maker_release(struct predict_maker *m, uint64_t lock);
bool predict_maker_was_tried(const struct predict_maker *m, uint64_t lock);
/* Notes the lock or semaphore of an attempt that failed; before the first event is made. */
void predict_maker_note_tried(struct predict_maker *m, const struct wire_event *e);

#endif
