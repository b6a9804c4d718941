/*
 * The operational meaning of mini programs: threads, memory, locks, store buffers (SC, TSO, PSO).
 *
 * A store of a buffered model enters the buffer of its thread; its head (TSO), or the head of its
 * location's queue (PSO), may reach memory at any time.  Loads see the newest buffered store of
 * their own thread first.  Everything else waits until the buffer is empty.
 */
#ifndef MINI_MACHINE_H
#define MINI_MACHINE_H

#include "mini.h"
#include "solve/history.h"
#include "wire/ctl.h"

#define MINI_LOCK_OBJECT UINT64_C(0x10000)
/* Where an operation stands. */
#define MINI_SITE(thread, pc) ((uint32_t)(thread) << 16 | (uint32_t)(pc))

struct mini_thread {
	uint16_t pc, index; /* index of the operation it stands at */
	uint8_t sp, ended, buffered;
	uint8_t begun; /* a late thread that has not is `ended' */
	int32_t locals[MINI_LOCALS];
	int32_t stack[MINI_STACK];
	uint64_t past; /* hash over the reads so far */
	struct mini_store {
		uint16_t index, pc;
		uint8_t var;
		int32_t value;
	} buffer[MINI_BUFFER];
};

struct mini_state {
	struct mini_thread threads[MINI_THREADS];
	int32_t memory[MINI_VARS];
	int8_t owner[MINI_LOCKS]; /* thread or -1 */
	uint32_t errors;
};

void mini_start(struct mini_state *s, const struct mini_program *p);

/* The operation t stands at, with everything but the value a load will see; false when it ended. */
bool mini_next(const struct mini_state *s, const struct mini_program *p, unsigned t,
	       struct solve_event *e);
/* Whether that operation can be performed now. */
bool mini_enabled(const struct mini_state *s, const struct mini_program *p, unsigned t);
/*
 * Performs it and fills *e.  A store reaches memory at once when `commit' is set, else it enters
 * the buffer.
 */
void mini_step(struct mini_state *s, const struct mini_program *p, unsigned t, bool commit,
	       struct solve_event *e);

/* Position in the buffer of t of the store named index, -1 when it is not there. */
int mini_buffered(const struct mini_state *s, unsigned t, unsigned index);
/* Whether the store at that position may reach memory now. */
bool mini_may_flush(const struct mini_state *s, unsigned t, unsigned at, enum wire_model model);
void mini_flush(struct mini_state *s, unsigned t, unsigned at, struct solve_event *e);

/* One number per distinct map from reads to values. */
uint64_t mini_state_key(const struct mini_state *s, const struct mini_program *p);
/* The same from an event log. */
uint64_t mini_history_key(const struct solve_history *h, const struct mini_program *p);

#endif
