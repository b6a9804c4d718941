/*
 * Task reductions.  The compiler describes variables in blocks of words and asks for the calling
 * thread's copy of each; the copies of a block lie behind each other, one for each thread of the
 * team.  The library behind us believes that every thread of ours is alone and would make one copy
 * for all, so blocks of our teams are kept here.
 *
 * A block: [0] variables, [1] bytes of one thread's copies, [2] alignment, then the address of the
 * copies, [4] the next block, [5] not zero in the first block of a registration, [6] end of the
 * copies, from [7] on for each variable: its address, its place in the copies, one word unused.
 */
#include <stdlib.h>

#include "guest/stable/hook/hook.h"
#include "guest/stable/omp/omp.h"
#include "guest/stable/os.h"

enum { VARIABLES, BYTES, COPIES, NEXT = 4, FIRST, END, TABLE };

#define OURS ((uintptr_t)0x68656464) /* in FIRST: registered here, not by the library behind us */

static uintptr_t *next_of(const uintptr_t *block)
{
	return (uintptr_t *)block[NEXT];
}

/* Calls the blocks of one registration: data, until the chain reaches another one. */
static void link_to(uintptr_t *data, uintptr_t *outer, const uintptr_t *from, unsigned threads)
{
	uintptr_t *d = data;
	for (;;) {
		if (from) {
			d[COPIES] = from[COPIES];
			d[END] = from[END];
			from = next_of(from);
		} else {
			size_t bytes = d[BYTES] * threads;
			d[COPIES] = (uintptr_t)os_pages(bytes ? bytes : 1);
			d[END] = d[COPIES] + bytes;
		}
		d[FIRST] = d == data ? OURS : 0;
		if (!d[NEXT])
			break;
		d = next_of(d);
	}
	d[NEXT] = (uintptr_t)outer;
}

void omp_reduce_register(uintptr_t *data, uintptr_t *outer, unsigned threads)
{
	link_to(data, outer, NULL, threads);
}

void omp_reduce_enter(struct omp_place *p, uintptr_t *data)
{
	uintptr_t *first = p->share->extra.reduce;
	if (first == data) {
		uintptr_t *d = data;
		while (d[NEXT])
			d = next_of(d);
		d[NEXT] = (uintptr_t)p->reduce;
	} else {
		link_to(data, p->reduce, first, 0);
	}
	p->reduce = data;
}

/* The registration around this one. */
static uintptr_t *outer_of(uintptr_t *data)
{
	uintptr_t *d = next_of(data);
	while (d && !d[FIRST])
		d = next_of(d);
	return d;
}

static void release(uintptr_t *data)
{
	uintptr_t *d = data;
	do {
		size_t bytes = d[END] - d[COPIES];
		os_unmap((void *)d[COPIES], bytes ? bytes : 1);
		d = next_of(d);
	} while (d && !d[FIRST]);
}

HOOK_EXPORT void GOMP_taskgroup_reduction_register(uintptr_t *data)
{
	struct omp_place *p = omp_here();
	if (!p) {
		OMP_ORIGINAL(GOMP_taskgroup_reduction_register, data);
		return;
	}
	omp_reduce_register(data, p->reduce, (unsigned)p->team->size);
	p->reduce = data;
}

HOOK_EXPORT void GOMP_taskgroup_reduction_unregister(uintptr_t *data)
{
	struct omp_place *p = omp_here();
	if (data[FIRST] != OURS) {
		OMP_ORIGINAL(GOMP_taskgroup_reduction_unregister, data);
		return;
	}
	if (p && p->reduce == data)
		p->reduce = outer_of(data);
	release(data);
}

/* Thread 0 has summed up; the others may go on when it has. */
HOOK_EXPORT void GOMP_workshare_task_reduction_unregister(bool cancelled)
{
	struct omp_place *p = omp_here();
	if (!p) {
		OMP_ORIGINAL(GOMP_workshare_task_reduction_unregister, cancelled);
		return;
	}
	uintptr_t *data = p->reduce;
	p->reduce = outer_of(data);
	if (!cancelled)
		omp_barrier(sched_self, p, false, HOOK_CALLER);
	if (p->number == 0)
		release(data);
}

struct found {
	uintptr_t *block;
	uintptr_t offset, original;
};

static bool is_variable(uintptr_t *block, uintptr_t address, struct found *f)
{
	for (uintptr_t i = 0; i < block[VARIABLES]; i++) {
		uintptr_t *entry = &block[TABLE + 3 * i];
		if (entry[0] == address) {
			*f = (struct found){block, entry[1], entry[0]};
			return true;
		}
	}
	return false;
}

/* A copy of some thread: a task within a task names the one it was given. */
static bool is_copy(uintptr_t *block, uintptr_t address, struct found *f)
{
	if (address < block[COPIES] || address >= block[END])
		return false;
	uintptr_t offset = (address - block[COPIES]) % block[BYTES];
	*f = (struct found){block, offset, address};
	for (uintptr_t i = 0; i < block[VARIABLES]; i++) {
		uintptr_t *entry = &block[TABLE + 3 * i];
		if (entry[1] == offset)
			f->original = entry[0];
	}
	return true;
}

HOOK_EXPORT void GOMP_task_reduction_remap(size_t count, size_t originals, void **at)
{
	struct omp_place *p = omp_here();
	if (!p || !p->reduce) {
		OMP_ORIGINAL(GOMP_task_reduction_remap, count, originals, at);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		struct found f = {0};
		uintptr_t address = (uintptr_t)at[i];
		for (uintptr_t *d = p->reduce; d && !f.block; d = next_of(d))
			if (!is_variable(d, address, &f))
				is_copy(d, address, &f);
		if (!f.block)
			continue;
		at[i] = (void *)(f.block[COPIES] + (uintptr_t)p->number * f.block[BYTES] +
				 f.offset);
		if (i < originals)
			at[count + i] = (void *)f.original;
	}
}

/*
 * A taskloop registers its reductions itself, inside the library behind us.  The data of its tasks
 * begin with the bounds of the loop; the blocks come behind them.
 */
#define FLAG_REDUCTION (1u << 12)

typedef void (*task_fn)(void *);
typedef void (*task_copy_fn)(void *, void *);

#define TASKLOOP(name, type)                                                                       \
	HOOK_EXPORT void name(task_fn fn, void *data, task_copy_fn copy, long bytes, long align,   \
			      unsigned flags, unsigned long tasks, int priority, type from,        \
			      type to, type step)                                                  \
	{                                                                                          \
		if (omp_here() && (flags & FLAG_REDUCTION)) {                                      \
			GOMP_taskgroup_reduction_register(*(uintptr_t **)((type *)data + 2));      \
			flags &= ~FLAG_REDUCTION;                                                  \
		}                                                                                  \
		OMP_ORIGINAL(name, fn, data, copy, bytes, align, flags, tasks, priority, from, to, \
			     step);                                                                \
	}

TASKLOOP(GOMP_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, unsigned long long)
