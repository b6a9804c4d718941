/* What is known of one thread while an execution is taken over; private to ingest*. */
#ifndef HEDDLE_CHECK_INGEST_THREAD_H
#define HEDDLE_CHECK_INGEST_THREAD_H

#include "explore/live/ingest.h"

struct ingest_visit {
	uint32_t site, count;
};

/* A store on its way to memory (TSO, PSO). */
struct ingest_store {
	uint64_t address, value;
	uint32_t tix, size;
};

/* Up to an event so many were of such rounds. */
struct ingest_taken {
	uint32_t end, events;
};

struct ingest_thread {
	uint32_t number; /* in the trees */
	uint32_t children;
	struct learn_cursor at;
	uint32_t locks, joined; /* interned in foot.sets */
	bool waits, wait_timed; /* in a condition wait, not yet woken; which may expire */
	bool expired;		/* it did, and the mutex is to be taken again */
	bool futex_asleep;
	bool weak, weak_failed; /* the next event is a weak compare and swap; which failed for
				   nothing */
	uint64_t weak_expected;
	uint64_t condition, mutex;
	uint32_t waited; /* events of rounds that found nothing new, which are no steps */
	VEC(struct ingest_taken) taken;
	VEC(uint32_t) reads;		 /* per load or range read: steps it became */
	uint32_t wrote;			 /* 1 + tix of its last store to memory that is followed */
	VEC(struct ingest_store) issued; /* not in memory, oldest first */
	bool held_up; /* since its last fence it has written what is seen at once, though it need
			 not */
	uint32_t held_up_site;
	struct learn_cursor lead; /* first step of the indivisible one under way */
	bool leads;		  /* there is one */
	VEC(struct ingest_visit) visits;
};

/* A step in the making, and what it found when it reads. */
struct ingest_step {
	struct learn_step step;
	uint64_t outcome, written;
	bool writes;
};

/* Number of a synchronisation object; it appears on first use. */
uint32_t ingest_object(struct ingest *x, uint64_t address, enum learn_object_kind kind);
/* Adds a class of the step at hand. */
void ingest_class(struct ingest *x, const struct ingest_thread *t, uint32_t object,
		  enum foot_kind kind);
/* Whether ev begins to use a synchronisation object, in whatever memory it lies. */
bool ingest_uses_place(const struct wire_event *ev);
/* The tracked memory in which the object of the step at hand lies: learn_step.lies_in. */
void ingest_find_place(struct ingest *x, const struct ingest_thread *t, const struct wire_event *ev,
		       struct learn_step *s);

/*
 * What an event is in the model: 1 with *s filled in, 0 when it is nothing, or an error.  done:
 * it happened; otherwise the thread only stands at it.
 */
int ingest_convert(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
		   bool done, struct ingest_step *s, struct err *e);

/*
 * A thread found the bytes of an event there: what was not certain is now.  ERR_MISMATCH when
 * something else was there: somebody wrote it whom we did not see.
 */
int ingest_see(struct ingest *x, const struct ingest_thread *t, const struct wire_event *at,
	       uint32_t site, struct err *e);

/*
 * An event, or one that a thread stands at: is a thread asked to end that waits where it would do
 * so? Then more is possible than the trees know.
 */
int ingest_cancel(struct ingest *x, const struct wire_event *ev, struct err *e);

/* Bytes are written, as far as they are tracked; the same by a write, an allocation or data. */
void ingest_image_write(struct ingest *x, uint64_t address, const void *bytes, uint32_t size);
void ingest_image_update(struct ingest *x, const struct wire_event *ev);
/* Code that is not instrumented ran while there was one thread: anything may be there now. */
void ingest_image_forget(struct ingest *x);
/* The first thread is begun: up to here every execution is the same. */
void ingest_image_begin(struct ingest *x);

/*
 * The next stretch of a string that is read, from *at to at most end: 1 with *s filled in and *at
 * behind it, 0 when nothing more of it is tracked.
 */
int ingest_convert_string(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			  uint64_t *at, uint64_t end, struct ingest_step *s);

/* The part of it that concerns memory; *s is empty before. */
int ingest_convert_memory(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			  bool done, struct ingest_step *s, struct err *e);

/* A step was taken over: does it follow what a processor would have written later? */
void ingest_late(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
		 const struct learn_step *s);

/* How often the thread has been at the site before. */
uint32_t ingest_visit(const struct ingest *x, struct ingest_thread *t, uint32_t site);
/* It was, or is, parked: a round of a loop that found nothing new was none, when trees can say so.
 */
void ingest_take_back(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev);

/* ingest_step.c: the call of an operation on descriptors, from the DATA events behind it. */
int ingest_call(struct ingest *x, struct learn_step *s, const struct wire_event *ev,
		const struct wire_event *end, struct err *e);
/* A write of the same bytes as before shares their place; not 0 when they are not the same. */
int ingest_share_data(struct ingest *x, const struct ingest_thread *t, struct learn_step *s,
		      struct err *e);
/* Whether a thread stands at such events before they happen, or they just come along. */
bool ingest_is_point(const struct wire_event *ev);
/* The step of an event that happened is the next one of its thread's tree. */
int ingest_take_step(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
		     struct ingest_step *s, struct err *e);

#endif
