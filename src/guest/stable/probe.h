/*
 * Whether a thread only waits for memory to change.
 *
 * A thread that computes may take as long as it likes for its turn; one that spins would wait for
 * ever, for somebody who waits for its turn.  They are told apart by proof, not by the clock: the
 * thread is taken through its code instruction by instruction, and when it comes twice by the same
 * way to the same place with the same registers, by instructions that cannot have changed anything
 * else, then nothing but another thread can ever bring it further.  A thread that sleeps in a futex
 * call of its own machine code is the other case.
 */
#ifndef HEDDLE_RT_STABLE_PROBE_H
#define HEDDLE_RT_STABLE_PROBE_H

#include <stdbool.h>
#include <ucontext.h>

/* In a handler of the thread: it was interrupted in a futex call. */
bool probe_in_futex(const ucontext_t *interrupted);

/*
 * In a handler of the thread: lets it go on by steps, for a limited number of them.  When it is
 * proved to spin, spins is called, in the thread, and it goes on as before; else nothing happens.
 */
void probe_begin(ucontext_t *interrupted, void (*spins)(void));

/* Whether an instruction, at its place, does nothing but what the proof allows; for tests. */
bool probe_allows(const unsigned char *code);

#endif
