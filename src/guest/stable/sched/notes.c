#include "guest/stable/sched/notes.h"

#include <errno.h>

#include "guest/stable/sched/check.h"
#include "guest/stable/sched/sched.h"

#define NOTES 64

uint32_t notes_pending;
static uint32_t overflow;
static uintptr_t notes[NOTES]; /* 0 = empty */

static bool put(uintptr_t note)
{
	for (int i = 0; i < NOTES; i++) {
		uintptr_t empty = 0;
		if (__atomic_compare_exchange_n(&notes[i], &empty, note, false, __ATOMIC_ACQ_REL,
						__ATOMIC_RELAXED))
			return true;
	}
	return false;
}

void notes_put(uintptr_t note)
{
	SCHED_ASSERT((note & ~(uintptr_t)(NOTE_ALL | NOTE_INTERRUPT)) != 0);
	if (!put(note))
		__atomic_store_n(&overflow, 1, __ATOMIC_RELEASE);
	__atomic_store_n(&notes_pending, 1, __ATOMIC_SEQ_CST);
}

static void act(uintptr_t note)
{
	void *addr = (void *)(note & ~(uintptr_t)(NOTE_ALL | NOTE_INTERRUPT));
	struct sched_thread *t = addr;
	if (note & NOTE_ALL)
		sched_broadcast(addr);
	else if (!(note & NOTE_INTERRUPT))
		sched_signal(addr);
	else if (t->waiting && t->wait.interruptible)
		sched_wake(t, EINTR);
}

void notes_act(void)
{
	__atomic_store_n(&notes_pending, 0, __ATOMIC_SEQ_CST);
	for (int i = 0; i < NOTES; i++) {
		uintptr_t note = __atomic_exchange_n(&notes[i], 0, __ATOMIC_ACQ_REL);
		if (note)
			act(note);
	}
	if (!__atomic_exchange_n(&overflow, 0, __ATOMIC_ACQ_REL))
		return;
	/* Some addresses were lost: everybody who waits for a signal looks again. */
	for (struct sched_thread *t = sched.all; t; t = t->all_next) {
		if (t->waiting && !t->pcs.timed)
			sched_wake(t, 0);
	}
}
