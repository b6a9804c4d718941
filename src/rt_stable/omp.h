/*
 * OpenMP for programs built with gcc -fopenmp.  The system's libgomp synchronises by futexes that a
 * preloaded library cannot see, so the entry points that start teams, share work and synchronise
 * are replaced here, on the scheduler: a team is a set of deterministic threads, a barrier is a
 * turn of each, a chunk of a dynamic loop goes to whoever has the turn.  Everything else of libgomp
 * stays: called outside of any of its teams it runs tasks at once, in the thread that creates them.
 *
 * Not covered: ordered loops, doacross, cancellation (ignored), nested teams (one thread each),
 * schedule(runtime) (treated as dynamic), Fortran names of the omp_* functions, libomp (clang).
 */
#ifndef HEDDLE_RT_STABLE_OMP_H
#define HEDDLE_RT_STABLE_OMP_H

#include <stdbool.h>
#include <stdint.h>

#include "rt_stable/sched.h"

#define OMP_SHARES 64

enum omp_share_kind { OMP_DYNAMIC, OMP_GUIDED, OMP_SECTIONS, OMP_SINGLE };

/* One work-sharing construct in progress. */
struct omp_share {
	uint64_t id;   /* 1 + how many the team had before; 0 = never used */
	uint32_t left; /* threads that have not finished with it */
	enum omp_share_kind kind;
	uint64_t next, end; /* iterations or sections not given out yet, counted from 0 */
	uint64_t chunk;
	uint64_t start, step; /* values: start + i * step, in two's complement */
	void *copy;	      /* of a single with copyprivate */
};

struct omp_team {
	int size, arrived;
	uint64_t generation;
	void (*fn)(void *);
	void *data;
	struct omp_share share[OMP_SHARES];
};

/* What a thread is within its team. */
struct omp_place {
	struct omp_team *team;
	int number, level;
	uint64_t shares; /* constructs it has entered */
	struct omp_share *share;
	bool *busy; /* of a pool thread: cleared when it has done its part */
};

/* The caller's place in a team of ours; NULL outside, and then libgomp itself must answer. */
struct omp_place *omp_here(void);

/* An entry point of the library behind us, NULL when there is none. */
void *omp_original(const char *name);

/* True when a team started now is ours. */
bool omp_is_ours(void);

/*
 * Around a region that the library behind us runs with its own threads: all of it is outside the
 * schedule, as a performance-critical section is.
 */
struct sched_thread *omp_outside_begin(void);
void omp_outside_end(struct sched_thread *t);

/*
 * Calls the entry point of the library behind us from the wrapper of the same name: its type is the
 * wrapper's own.
 */
#define OMP_ORIGINAL(name, ...)                                                                    \
	({                                                                                         \
		__typeof__(&name) original;                                                        \
		*(void **)&original = omp_original(#name);                                         \
		original(__VA_ARGS__);                                                             \
	})

/* All threads of the team meet; last: at the end of the parallel region. */
void omp_barrier(struct sched_thread *t, struct omp_place *p, bool last, uintptr_t caller);

/* Runs fn(data) in a team; fill prepares the first construct (NULL: none). */
struct omp_loop;
void omp_run(void (*fn)(void *), void *data, unsigned threads, const struct omp_loop *loop,
	     uintptr_t caller);

/* A loop or sections as a construct. */
struct omp_loop {
	enum omp_share_kind kind;
	uint64_t start, step, count, chunk;
};

void omp_share_fill(struct omp_share *s, const struct omp_loop *loop, uint32_t threads);

#endif
