/*
 * Executions of a learned program, thought through instead of run.
 *
 * A configuration is a flat block of bytes: where each thread stands in its tree, the tracked
 * memory, the state of locks, semaphores and so on, and under TSO and PSO the stores that threads
 * have issued but that are not in memory.  Equal bytes (up to the tail) mean equal futures, so
 * configurations can be hashed and remembered.
 *
 * The rules are those of the guest's scheduler (guest/check): what machine_can() allows, a guest
 * can be asked to do with the choices that machine_path() gives.
 */
#ifndef HEDDLE_LEARN_MACHINE_H
#define HEDDLE_LEARN_MACHINE_H

#include "explore/learn/learn.h"
#include "wire/ctl.h"
#include "wire/rules_store.h"

#define MACHINE_STORES 32 /* issued and not in memory, per thread */

enum machine_state {
	MACHINE_UNBORN,
	MACHINE_LIVE,
	MACHINE_ENDED,
	MACHINE_STOPPED, /* by a limit: it could go on */
	MACHINE_BARRED,	 /* its next step would end the execution; the others go first */
};

struct machine_thread {
	uint32_t node, pos;
	uint32_t sleep; /* object it sleeps at, plus 1 */
	uint16_t state;
	uint16_t for_nothing; /* it last woke up, or failed, for no reason, and got nowhere since */
};

/* By the kind of the object; spin locks are mutexes, conditions and futexes have nothing here. */
struct machine_sync {
	union {
		struct rule_mutex mutex;
		struct rule_rwlock rwlock;
		struct rule_sem sem;
		struct rule_barrier barrier;
		struct rule_once once;
		uint32_t fds; /* state in struct learn.fds */
	};
};

/* What has become of an object, whatever it is. */
enum machine_life {
	MACHINE_ALIVE,
	MACHINE_FREED,	   /* its memory was given back */
	MACHINE_DESTROYED, /* it waits for an initialiser */
};

struct machine_store {
	struct rule_store store; /* at: in the tracked memory */
	uint32_t classes, spare;
};

struct machine_buffer {
	uint32_t count, epoch;
	struct machine_store stores[MACHINE_STORES];
};

/* Not part of what two configurations must share to be equal: numbers in the guest. */
struct machine_tail {
	uint32_t created;
	uint16_t tid[];
};

struct machine {
	struct learn *l;
	unsigned model;	     /* enum wire_model */
	uint32_t loop_bound; /* 0: none */
	bool spurious;	     /* operations may end for no reason */
	uint32_t threads, objects, syncs, memory;
	size_t sync_at, life_at, memory_at, buffer_at, tail_at, bytes;
};

typedef unsigned char machine_config;

enum machine_kind { MACHINE_RUN, MACHINE_EXPIRE, MACHINE_FLUSH, MACHINE_SPURIOUS };

struct machine_action {
	uint16_t kind, thread;
	uint32_t arg; /* FLUSH: number of the store; RUN: which sleeper a signal wakes */
};

enum machine_result {
	MACHINE_DONE,
	MACHINE_UNKNOWN, /* what the thread does next is not known: to be learned */
	MACHINE_MISUSE,	 /* the step does what the program must not do to an object or to memory */
	MACHINE_FAILED,	 /* the thread failed after the step */
	MACHINE_EXITED,
};

/* Lays out configurations for what l knows now; to be done again when threads or objects are new.
 */
void machine_init(struct machine *m, struct learn *l, unsigned model);
bool machine_fits(const struct machine *m);

/* The beginning: main stands at its first step. */
void machine_begin(const struct machine *m, machine_config *c);

static inline struct machine_thread *machine_thread(const struct machine *m, machine_config *c,
						    uint32_t t)
{
	return (struct machine_thread *)(void *)c + t;
}

static inline struct machine_sync *machine_sync(const struct machine *m, machine_config *c,
						uint32_t object)
{
	return (struct machine_sync *)(void *)(c + m->sync_at) + m->l->objects.items[object].sync;
}

/* The thread that has a lock for itself, plus 1; 0: nobody. */
static inline uint32_t machine_owner(const struct machine *m, machine_config *c, uint32_t object)
{
	const struct machine_sync *o = machine_sync(m, c, object);

	return m->l->objects.items[object].kind == LEARN_RWLOCK ? o->rwlock.writer : o->mutex.owner;
}

static inline struct machine_buffer *machine_buffer(const struct machine *m, machine_config *c,
						    uint32_t t)
{
	return (struct machine_buffer *)(void *)(c + m->buffer_at) + t;
}

static inline struct machine_tail *machine_tail(const struct machine *m, machine_config *c)
{
	return (struct machine_tail *)(void *)(c + m->tail_at);
}

/* The step a thread stands at; NULL when it is not alive or the step is not known. */
static inline const struct learn_step *machine_step(const struct machine *m, machine_config *c,
						    uint32_t t)
{
	const struct machine_thread *x = machine_thread(m, c, t);

	if (x->state != MACHINE_LIVE)
		return NULL;
	return learn_at(m->l, (struct learn_cursor){x->node, x->pos});
}

/*
 * Whether the thread could do its step now, expire in it, commit a store, or have its step end for
 * no reason.  The last only once as long as nothing changes that it looked at since: it would see
 * the same and, unless it counts, do the same for ever.
 */
bool machine_can(const struct machine *m, machine_config *c, const struct machine_action *a);
/*
 * Whether thread t is at the end of a round that found nothing new (learn_fold()) and would now go
 * round again: what can become of that, another execution shows in which it looked later.
 */
bool machine_turns_back(const struct machine *m, machine_config *c, uint32_t t);
/* Whether nobody can go on, unless for no reason, and the process is not about to end. */
bool machine_stuck(const struct machine *m, machine_config *c);
/* How many ways there are to do it: sleepers a signal could wake. */
uint32_t machine_ways(const struct machine *m, machine_config *c, uint32_t t);
/* Which stores of a thread may reach memory now. */
bool machine_flushable(const struct machine *m, machine_config *c, uint32_t t, uint32_t store);

/*
 * A number for what has to be learned when machine_do() would say UNKNOWN: two configurations with
 * the same number wait for the same thing.
 */
uint64_t machine_question(const struct machine *m, machine_config *c,
			  const struct machine_action *a);

/*
 * Performs an action that is possible.  MISUSE and FAILED leave a configuration that is
 * good for nothing; UNKNOWN one in which the thread's next step is to be learned first.
 */
enum machine_result machine_do(const struct machine *m, machine_config *c,
			       const struct machine_action *a);

/* An access of a step that may be one of several in it. */
struct machine_access {
	const struct learn_step *step;
	uint32_t offset, bytes;
	bool writes;
};

struct machine_accesses {
	VEC_FIELDS(struct machine_access);
};

/* What the thread's next step, glued ones included, touches; leaves c as it is. */
void machine_touches(const struct machine *m, machine_config *c, uint32_t t,
		     struct machine_accesses *out);

/* The same for a guest: at most 2 choices; to be asked before machine_do(). */
unsigned machine_path(const struct machine *m, machine_config *c, const struct machine_action *a,
		      struct wire_choice out[2]);

void machine_hash(const struct machine *m, machine_config *c, uint64_t out[2]);
/* Of the values read alone. */
uint64_t machine_state_hash(const struct machine *m, machine_config *c);

#endif
