/* What the parts of the scheduler share; private to sched/. */
#ifndef HEDDLE_RT_SCHED_STATE_H
#define HEDDLE_RT_SCHED_STATE_H

#include "guest/check/sched/strategy.h"
#include "guest/check/sched/thread.h"

#define SLOT_WORDS (WIRE_MAX_LIVE / 64)

/* Sets of slots. */
struct slot_set {
	uint64_t word[SLOT_WORDS];
};

struct sched_state {
	struct slot_set busy;	  /* slots with a thread that has not been released */
	uint64_t used_slots;	  /* of the first 64, those that had a thread in this run */
	struct slot_set enabled;  /* could perform their pending operation now */
	struct slot_set timed;	  /* blocked, but their operation can expire */
	struct slot_set buffered; /* with stores on their way to memory */
	struct slot_set io;	  /* blocked on a descriptor */
	struct slot_set spinning; /* parked in a loop without effect */
	struct slot_set spurious; /* at an operation that may end for no reason */
	uint32_t words;		  /* words of the sets in use */
	uint32_t live;		  /* neither finished nor gone */
	uint32_t joined;	  /* threads that were joined */
	uint32_t model;
	uint32_t choosing; /* every thread stands at its operation, the running one too */
	uint64_t steps, max_steps;
	uint64_t clock;		  /* virtual ns since the start of the run */
	uint64_t preemptions;
	uint64_t stretch;	  /* steps in a row of the running thread */
	/* What is about to happen is noted, and who is born; NULL: not in this run.  See draw/know.h. */
	void (*note)(const struct action *a);
	void (*note_born)(struct rt_thread *t);
	const struct strategy *strategy;
	struct rt_thread *by_slot[WIRE_MAX_LIVE];
};

extern struct sched_state sched;

static inline void set_add(struct slot_set *s, uint32_t slot)
{
	RT_ASSERT(slot < WIRE_MAX_LIVE);
	s->word[slot / 64] |= UINT64_C(1) << slot % 64;
}

static inline void set_remove(struct slot_set *s, uint32_t slot)
{
	s->word[slot / 64] &= ~(UINT64_C(1) << slot % 64);
}

static inline void set_put(struct slot_set *s, uint32_t slot, bool member)
{
	uint64_t bit = UINT64_C(1) << slot % 64;
	uint64_t *word = &s->word[slot / 64];

	*word = member ? *word | bit : *word & ~bit;
}

static inline bool set_has(const struct slot_set *s, uint32_t slot)
{
	return s->word[slot / 64] >> slot % 64 & 1;
}

static inline bool set_any(const struct slot_set *s)
{
	uint64_t any = 0;

	for (uint32_t i = 0; i < sched.words; i++)
		any |= s->word[i];
	return any != 0;
}

static inline uint32_t set_count(const struct slot_set *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < sched.words; i++)
		n += (uint32_t)__builtin_popcountll(s->word[i]);
	return n;
}

/* The nth member, n below the count. */
static inline uint32_t set_nth(const struct slot_set *s, uint32_t n)
{
	RT_ASSERT(n < set_count(s));
	for (uint32_t i = 0;; i++) {
		uint64_t bits = s->word[i];
		uint32_t here = (uint32_t)__builtin_popcountll(bits);

		if (n >= here) {
			n -= here;
			continue;
		}
		while (n--)
			bits &= bits - 1;
		return i * 64 + (uint32_t)__builtin_ctzll(bits);
	}
}

/* for (slot in set): the body may change the set. */
#define SET_EACH(set, slot)                                                                        \
	for (uint32_t set_i = 0, slot; set_i < sched.words; set_i++)                               \
		for (uint64_t set_bits = (set)->word[set_i];                                       \
		     set_bits && (slot = set_i * 64 + (uint32_t)__builtin_ctzll(set_bits), 1);     \
		     set_bits &= set_bits - 1)

/* Gives the processor away for good. */
_Noreturn void sched_leave(void);
/* Ends the run: nobody can go on, or `t' closes a cycle of lock owners (t may be NULL). */
_Noreturn void deadlock_report(struct rt_thread *t);
/*
 * Nobody can go on.  While somebody outside might change that, gives them time; true when a thread
 * can go on, false when there is nobody.  Ends the run when the patience is over.
 */
bool deadlock_wait_outside(void);
/* Whether t's pending lock request closes a cycle of owners. */
bool deadlock_cycle(struct rt_thread *t);
/* Thread that holds what t waits for; NULL when none or unknown. */
struct rt_thread *deadlock_holder(const struct rt_thread *t);
/* A short pause while only the world outside can change anything. */
void sched_idle_wait(void);
/* Thread table and counters into the control block. */
void sched_export(void);

#endif
