/*
 * What the runs of a job have shown so far, for strategies that learn: which places of the program
 * meet at which objects, which write each read has seen, how often each thread comes to an object.
 *
 * It lies in the control block's scratch area, so it outlives a run on every engine.  A job without
 * JOB_DFS_RESUME begins with nothing: what is drawn depends on the seeds of the job alone.  Tables
 * are of fixed size; what finds no room is not known, which makes strategies less clever, never
 * wrong.
 *
 * An object is an address: a variable, a lock, a semaphore.  Taking a lock reads and writes it.
 * Stores are seen when they reach memory.
 */
#ifndef HEDDLE_RT_SCHED_KNOW_H
#define HEDDLE_RT_SCHED_KNOW_H

#include "guest/check/sched/strategy.h"
#include "guest/check/thread.h"

#define KNOW_NOTHING UINT32_MAX /* no such object, thread, pair */
#define KNOW_BEFORE SITE_NONE	/* as a writer: what was there when the run began */

enum know_access { KNOW_READS = 1, KNOW_WRITES = 2 };

struct know_object {
	uint64_t addr;
	uint64_t run;	     /* in which `last' was written */
	uint64_t chosen_run; /* in which it is one of those that count, see know_choose() */
	uint32_t last;	     /* site of the last write */
	uint32_t places;     /* list of know_place, or KNOW_NOTHING */
	uint32_t dirty;	     /* next in the list of objects with new places */
	uint16_t first_tid;
	uint8_t is_dirty, shared, written, listed;
};

struct know_place {
	uint32_t object, site, next;
	uint8_t access;
};

/* A read that may see a write: the two were at one object. */
struct know_pair {
	uint32_t read, write; /* sites; KNOW_BEFORE */
	uint32_t seen;	      /* runs in which the one saw the other */
	uint32_t tried;	      /* runs that were to show it */
	uint64_t run;	      /* the last in which it was seen */
};

struct know_use {
	uint32_t object, thread;
	uint32_t now, usual; /* how often in this run, and in runs */
	uint64_t run;
};

struct know_thread {
	uint64_t key;
	uint32_t parent;
	uint32_t total; /* uses of what was chosen, by it and by those it creates */
	uint32_t left;	/* of that, in this run */
};

/* What a run showed. */
struct know_news {
	uint32_t pairs;	   /* seen for the first time */
	uint32_t how_rare; /* runs before it that saw just the same pairs */
};

/* A run begins; again changes nothing.  The state of earlier jobs counts only when this one
   continues them. */
void know_begin(void);
/* An action was chosen and is about to be performed. */
void know_note(const struct action *a);
void know_born(struct rt_thread *t);
/* What the run that has ended showed. */
struct know_news know_over(void);

/* Number of the run in this job, from 1 on. */
uint64_t know_run(void);
/*
 * Steps of the run before this one; 0: there was none.  (Not of the longest so far: a rare long one would
 * thin out what is spread over it in all later runs.)
 */
uint64_t know_length(void);
/* Room of a strategy's own, zero when the job begins. */
enum know_owner { KNOW_OF_FEEDBACK, KNOW_OF_MIX, KNOW_OWNERS };
void *know_own(enum know_owner owner, size_t bytes);

/* How a thread's pending operation uses an object: enum know_access, 0: not at all. */
uint32_t know_access(const struct rt_op *op);
uint32_t know_object_at(uint64_t addr);
/* Site of the write that a read of the object would see now. */
uint32_t know_last(uint32_t object);

uint32_t know_pair_count(void);
struct know_pair *know_pair_nth(uint32_t n);
/* KNOW_NOTHING when the two have never been at one object. */
uint32_t know_pair_of(uint32_t read, uint32_t write);

/* Objects that several threads use, and some write. */
uint32_t know_shared_count(void);
/* From now on the nth of them counts in this run. */
void know_choose(uint32_t nth);
bool know_is_chosen(const struct rt_op *op);
/* After the last know_choose(): how many uses lie before each thread. */
void know_count_uses(void);
struct know_thread *know_thread_of(const struct rt_thread *t);

#endif
