/*
 * OpenMP for programs built with gcc -fopenmp.  The system's libgomp synchronises by futexes that a
 * preloaded library cannot see, so the entry points that start teams, share work and synchronise
 * are replaced here, on the scheduler: a team is a set of deterministic threads, a barrier is a
 * turn of each, a chunk of a dynamic loop goes to whoever has the turn.  Everything else of libgomp
 * stays: called outside of any of its teams it runs tasks at once, in the thread that creates them.
 *
 * Not covered: cancellation (ignored), nested teams (one thread each), schedule(runtime) (treated
 * as dynamic), Fortran names of the omp_* functions, libomp (clang).
 */
#ifndef HEDDLE_RT_STABLE_OMP_H
#define HEDDLE_RT_STABLE_OMP_H

#include <stdbool.h>
#include <stdint.h>

#include "guest/stable/sched/sched.h"

#define OMP_SHARES 64

enum omp_share_kind { OMP_STATIC, OMP_DYNAMIC, OMP_GUIDED, OMP_SECTIONS, OMP_SINGLE };

/* What an ordered construct, a doacross loop or a task reduction needs beyond a loop. */
struct omp_extra {
	bool ordered;	   /* chunks end in the order of their iterations */
	unsigned dims;	   /* of a doacross loop, 0 otherwise */
	uint64_t *counts;  /* iterations of each dimension */
	size_t bytes;	   /* zeroed memory that the threads share */
	uintptr_t *reduce; /* task reductions (omp_reduce.c), NULL = none */
};

/* One work-sharing construct in progress. */
struct omp_share {
	uint64_t id;   /* 1 + how many the team had before; 0 = never used */
	uint32_t left; /* threads that have not finished with it */
	enum omp_share_kind kind;
	uint64_t next, end; /* iterations or sections not given out yet, counted from 0 */
	uint64_t chunk;
	uint64_t start, step; /* values: start + i * step, in two's complement */
	void *copy;	      /* of a single with copyprivate */
	uint64_t done;	      /* ordered: iterations that are over, all from the first on */
	struct omp_extra extra;
	void *memory; /* extra.bytes, the counts, and what each outer iteration has posted */
	size_t memory_bytes;
	uint64_t *counts, *posted;
};

struct omp_team {
	int size, arrived;
	uint64_t generation;
	void (*fn)(void *);
	void *data;
	uintptr_t *reduce; /* task reductions of the whole region */
	bool has_memory;   /* some construct had memory of its own */
	struct omp_share share[OMP_SHARES];
};

/* What a thread is within its team. */
struct omp_place {
	struct omp_team *team;
	int number, level;
	uint64_t shares; /* constructs it has entered */
	struct omp_share *share;
	uint64_t from, to; /* iterations of its present chunk, counted from 0; equal: none */
	uint64_t trip;	   /* chunks it has had, for static schedules */
	uint64_t at;	   /* doacross: outer iterations of the chunk before this one are over */
	uintptr_t *reduce; /* innermost task reductions (omp_reduce.c) */
	bool *busy;	   /* of a pool thread: cleared when it has done its part */
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

/*
 * Runs fn(data) in a team of threads (0: as many as usual); loop is its first construct (NULL:
 * none). Returns the size of the team.
 */
struct omp_loop;
int omp_run(void (*fn)(void *), void *data, unsigned threads, const struct omp_loop *loop,
	    uintptr_t caller);

/* A loop or sections as a construct. */
struct omp_loop {
	enum omp_share_kind kind;
	uint64_t start, step, count, chunk;
	struct omp_extra extra;
};

void omp_share_fill(struct omp_share *s, const struct omp_loop *loop, uint32_t threads);
/* The memory of constructs of a team that is over. */
void omp_share_fini(struct omp_team *team);

/* The caller enters a construct and takes its first chunk, or the next: false when none is left. */
bool omp_share_start(struct omp_place *p, const struct omp_loop *loop, uint64_t *from, uint64_t *to,
		     uintptr_t caller);
bool omp_share_next(struct omp_place *p, uint64_t *from, uint64_t *to, uintptr_t caller);
/* Iterations of for (i = from; i < or > to; i += step). */
struct omp_loop omp_signed_loop(enum omp_share_kind kind, long from, long to, long step,
				long chunk);
struct omp_loop omp_unsigned_loop(enum omp_share_kind kind, bool up, uint64_t from, uint64_t to,
				  uint64_t step);

/* With the turn: the present chunk of p is over (omp_ordered.c). */
void omp_ordered_done(struct sched_thread *t, struct omp_place *p);
/* Prepares a doacross loop. */
void omp_ordered_fill(struct omp_share *s);

/* Task reductions (omp_reduce.c). */
/* Allocates for so many threads; outer: those around. */
void omp_reduce_register(uintptr_t *data, uintptr_t *outer, unsigned threads);
/* With the turn: the caller's part of the reductions of its construct. */
void omp_reduce_enter(struct omp_place *p, uintptr_t *data);

#endif
