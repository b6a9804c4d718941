/* What is known of one thread while an execution is taken over; private to ingest*. */
#ifndef HEDDLE_CHECK_INGEST_THREAD_H
#define HEDDLE_CHECK_INGEST_THREAD_H

#include "check/ingest.h"

struct ingest_visit {
	uint32_t site, count;
};

struct ingest_thread {
	uint32_t number; /* in the trees */
	uint32_t children;
	struct learn_cursor at;
	uint32_t locks, joined; /* interned in foot.sets */
	bool waits, wait_timed; /* in a condition wait, not yet woken; which may expire */
	bool expired;		/* it did, and the mutex is to be taken again */
	bool futex_asleep;
	uint64_t condition, mutex;
	VEC(uint8_t) reads;    /* per load: was it tracked */
	VEC(uint32_t) issued;  /* tix of stores not in memory */
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

/*
 * What an event is in the model: 1 with *s filled in, 0 when it is nothing, or an error.  done:
 * it happened; otherwise the thread only stands at it.
 */
int ingest_convert(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
		   bool done, struct ingest_step *s, struct err *e);

/* The part of it that concerns memory; *s is empty before. */
int ingest_convert_memory(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			  bool done, struct ingest_step *s, struct err *e);

#endif
