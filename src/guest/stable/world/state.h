/*
 * State that threads share without seeing it: streams, offsets of files, what is written on one
 * descriptor, the generators of the C library.  The library and the kernel keep it whole, but who
 * comes first decides what the program reads and prints.  So each piece has a lock of the runtime
 * around the original function, and these locks are in the schedule like a program's own mutexes:
 * a piece that one thread uses needs no turn (sched/local.h).
 *
 * A piece is locked only where the original would exclude other threads as well, so that no program
 * waits for something it would not wait for by itself: a stream as a whole, reading and writing of
 * a descriptor apart.  Sockets and descriptors in non-blocking mode have no lock: when data comes
 * from a network is not the schedule's.
 *
 * Tolerated: calls before the runtime is ready, in sections, of unknown threads (no lock then), a
 * signal handler within the original (the thread has the lock already), cancellation in the
 * original (STATE_HOLD gives the lock back when the frame is unwound), fork.
 */
#ifndef HEDDLE_STABLE_STATE_H
#define HEDDLE_STABLE_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum state_kind { STATE_STREAM = 1, STATE_FILE, STATE_READ, STATE_WRITE, STATE_GENERATOR };
enum state_generator { STATE_RANDOM, STATE_RAND48 };

/* The lock of a piece, taken; NULL when there is none to be given back. */
pthread_mutex_t *state_enter(enum state_kind kind, uintptr_t which, uintptr_t caller);
/* errno stays as it is. */
void state_leave(pthread_mutex_t **held);

/* For the rest of the block. */
#define STATE_HOLD(kind, which)                                                                    \
	pthread_mutex_t *held __attribute__((cleanup(state_leave))) =                              \
		state_enter(kind, (uintptr_t)(which), HOOK_CALLER)

/* The same for what is read from a descriptor, or written on it, if that has a lock. */
pthread_mutex_t *state_enter_fd(int fd, bool writes, uintptr_t caller);
#define STATE_HOLD_FD(fd, writes)                                                                  \
	pthread_mutex_t *held __attribute__((cleanup(state_leave))) =                              \
		state_enter_fd(fd, writes, HOOK_CALLER)

/* flockfile() and its like: locked until given back, any number of times. */
void state_lock_stream(FILE *stream, uintptr_t caller);
void state_unlock_stream(FILE *stream, uintptr_t caller);

/* The piece is gone; what has its name next is another. */
void state_forget(enum state_kind kind, uintptr_t which);
void state_forget_fd(int fd);
/* Descriptor copy shares its offset with fd. */
void state_copy_fd(int fd, int copy);
/* In the child of a fork: nobody is in any of them. */
void state_fork_child(void);

#endif
