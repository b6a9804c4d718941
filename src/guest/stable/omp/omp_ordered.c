/*
 * Loops whose iterations wait for each other: ordered, doacross, and the general start of a loop,
 * which also carries shared memory (scan) and task reductions.
 *
 * Ordered: a chunk is over when all iterations before it are, and its ordered parts run only then.
 * Doacross: every outer iteration is done by one thread from its first inner one to its last, so a
 * number for each outer iteration says what has been posted.
 */
#include <stdarg.h>
#include <string.h>

#include "guest/stable/hook/hook.h"
#include "guest/stable/omp/omp.h"
#include "guest/stable/os.h"

#define ALL_POSTED UINT64_MAX

void omp_ordered_fill(struct omp_share *s)
{
	uint64_t outer = s->extra.dims ? s->end : 0;
	size_t bytes = (s->extra.bytes + 63) & ~(size_t)63;
	s->memory_bytes = bytes + (s->extra.dims + outer) * sizeof(uint64_t);
	s->memory = os_pages(s->memory_bytes);
	if (!s->extra.dims)
		return;
	s->counts = (uint64_t *)((char *)s->memory + bytes);
	s->posted = s->counts + s->extra.dims;
	memcpy(s->counts, s->extra.counts, s->extra.dims * sizeof(uint64_t));
}

/* With the turn: all iterations before the caller's chunk are over. */
static void await_order(struct sched_thread *t, struct omp_place *p)
{
	struct omp_share *s = p->share;
	while (s->done != p->from)
		hook_wait(t, STABLE_OP_OMP_ORDERED, &s->done, 0);
}

void omp_ordered_done(struct sched_thread *t, struct omp_place *p)
{
	struct omp_share *s = p->share;
	if (s->extra.ordered) {
		await_order(t, p);
		s->done = p->to;
		sched_broadcast(&s->done);
	}
	if (s->posted) {
		/* An iteration that posted nothing is waited for until it is over. */
		for (; p->at < p->to; p->at++)
			s->posted[p->at] = ALL_POSTED;
		sched_broadcast(s->posted);
	}
}

HOOK_EXPORT void GOMP_ordered_start(void)
{
	struct omp_place *p = omp_here();
	if (!p) {
		OMP_ORIGINAL(GOMP_ordered_start);
		return;
	}
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_OMP_ORDERED);
	if (!t)
		return;
	/* In a loop that is not ordered, or in none, there is nobody to wait for. */
	if (p->share && p->share->extra.ordered && p->to > p->from)
		await_order(t, p);
	hook_log(t, STABLE_OP_OMP_ORDERED, NULL, 0, (uint32_t)p->from);
	hook_end(t);
}

HOOK_EXPORT void GOMP_ordered_end(void)
{
	if (!omp_here())
		OMP_ORIGINAL(GOMP_ordered_end);
}

/* 1 + the number of an inner iteration; the outer one is counts[0]. */
static uint64_t inner_number(const struct omp_share *s, const uint64_t *at)
{
	uint64_t number = 0;
	for (unsigned i = 1; i < s->extra.dims; i++)
		number = number * s->counts[i] + at[i];
	return number + 1;
}

static void post(struct omp_place *p, const uint64_t *at, uintptr_t caller)
{
	struct omp_share *s = p->share;
	struct sched_thread *t = hook_begin(caller, STABLE_OP_OMP_ORDERED);
	if (!t)
		return;
	if (s && s->posted && at[0] < s->end) {
		for (; p->at < at[0]; p->at++)
			s->posted[p->at] = ALL_POSTED;
		s->posted[at[0]] = inner_number(s, at);
		sched_broadcast(s->posted);
	}
	hook_log(t, STABLE_OP_OMP_ORDERED, NULL, STABLE_RES_RETURN, (uint32_t)at[0]);
	hook_end(t);
}

static void await(struct omp_place *p, const uint64_t *at, uintptr_t caller)
{
	struct omp_share *s = p->share;
	struct sched_thread *t = hook_begin(caller, STABLE_OP_OMP_ORDERED);
	if (!t)
		return;
	while (s && s->posted && at[0] < s->end && s->posted[at[0]] < inner_number(s, at))
		hook_wait(t, STABLE_OP_OMP_ORDERED, s->posted, 0);
	hook_log(t, STABLE_OP_OMP_ORDERED, NULL, 0, (uint32_t)at[0]);
	hook_end(t);
}

#define DIMS_MAX 16 /* of a doacross loop */

/* The arguments behind the first: as many as the loop has dimensions. */
static void collect(const struct omp_place *p, uint64_t first, va_list rest, uint64_t *at)
{
	unsigned dims = p && p->share && p->share->posted ? p->share->extra.dims : DIMS_MAX;
	at[0] = first;
	for (unsigned i = 1; i < DIMS_MAX; i++)
		at[i] = i < dims ? va_arg(rest, uint64_t) : 0;
}

#define ACROSS(prefix, type)                                                                       \
	HOOK_EXPORT void GOMP_##prefix##_post(type *at)                                            \
	{                                                                                          \
		struct omp_place *p = omp_here();                                                  \
		if (p)                                                                             \
			post(p, (const uint64_t *)at, HOOK_CALLER);                                \
		else                                                                               \
			OMP_ORIGINAL(GOMP_##prefix##_post, at);                                    \
	}                                                                                          \
	HOOK_EXPORT void GOMP_##prefix##_wait(type first, ...)                                     \
	{                                                                                          \
		struct omp_place *p = omp_here();                                                  \
		uint64_t at[DIMS_MAX];                                                             \
		va_list rest;                                                                      \
		va_start(rest, first);                                                             \
		collect(p, (uint64_t)first, rest, at);                                             \
		va_end(rest);                                                                      \
		if (p)                                                                             \
			await(p, at, HOOK_CALLER);                                                 \
		else                                                                               \
			OMP_ORIGINAL(GOMP_##prefix##_wait, first, at[1], at[2], at[3], at[4],      \
				     at[5], at[6], at[7], at[8], at[9], at[10], at[11], at[12],    \
				     at[13], at[14], at[15]);                                      \
	}

ACROSS(doacross, long)
ACROSS(doacross_ull, unsigned long long)

/* schedule() as the compiler passes it; the top bit only says "monotonic". */
static enum omp_share_kind kind_of(long schedule)
{
	switch (schedule & 0x7fffffff) {
	case 1:
	case 4:
		return OMP_STATIC;
	case 3:
		return OMP_GUIDED;
	default:
		return OMP_DYNAMIC;
	}
}

/* The general start: memory is asked for by its size and answered with its address. */
static bool start(struct omp_place *p, struct omp_loop *loop, uint64_t *range, void **memory,
		  uintptr_t caller)
{
	if (memory)
		loop->extra.bytes = (size_t)(uintptr_t)*memory;
	bool got = omp_share_start(p, loop, range, range ? range + 1 : NULL, caller);
	if (memory)
		*memory = p->share->memory;
	return got;
}

/* loop is filled by the parameters of each entry point. */
#define START(type, loop_, memory)                                                                 \
	do {                                                                                       \
		uint64_t range[2];                                                                 \
		struct omp_loop loop = loop_;                                                      \
		bool got = start(p, &loop, first ? range : NULL, memory, HOOK_CALLER);             \
		if (got && first) {                                                                \
			*first = (type)range[0];                                                   \
			*last = (type)range[1];                                                    \
		}                                                                                  \
		return got;                                                                        \
	} while (0)

typedef unsigned long long ull;

static struct omp_loop general(struct omp_loop loop, uint64_t chunk, bool ordered,
			       uintptr_t *reduce)
{
	loop.chunk = chunk;
	loop.extra.ordered = ordered;
	loop.extra.reduce = reduce;
	return loop;
}

static struct omp_loop across(unsigned dims, void *counts, long schedule, uint64_t chunk)
{
	struct omp_loop loop = {.kind = kind_of(schedule), .step = 1, .chunk = chunk};
	loop.count = *(uint64_t *)counts;
	loop.extra.dims = dims;
	loop.extra.counts = counts;
	return loop;
}

#define GENERAL(name, ordered)                                                                     \
	HOOK_EXPORT bool GOMP_loop_##name(long from, long to, long step, long schedule,            \
					  long chunk, long *first, long *last, uintptr_t *reduce,  \
					  void **memory)                                           \
	{                                                                                          \
		struct omp_place *p = omp_here();                                                  \
		if (!p)                                                                            \
			return OMP_ORIGINAL(GOMP_loop_##name, from, to, step, schedule, chunk,     \
					    first, last, reduce, memory);                          \
		START(long,                                                                        \
		      general(omp_signed_loop(kind_of(schedule), from, to, step, chunk),           \
			      (uint64_t)chunk, ordered, reduce),                                   \
		      memory);                                                                     \
	}                                                                                          \
	HOOK_EXPORT bool GOMP_loop_ull_##name(bool up, ull from, ull to, ull step, long schedule,  \
					      ull chunk, ull *first, ull *last, uintptr_t *reduce, \
					      void **memory)                                       \
	{                                                                                          \
		struct omp_place *p = omp_here();                                                  \
		if (!p)                                                                            \
			return OMP_ORIGINAL(GOMP_loop_ull_##name, up, from, to, step, schedule,    \
					    chunk, first, last, reduce, memory);                   \
		START(ull,                                                                         \
		      general(omp_unsigned_loop(kind_of(schedule), up, from, to, step), chunk,     \
			      ordered, reduce),                                                    \
		      memory);                                                                     \
	}

GENERAL(start, false)
GENERAL(ordered_start, true)

/* ordered clause: the name says the schedule. */
#define ORDERED(name, kind_)                                                                       \
	HOOK_EXPORT bool GOMP_loop_ordered_##name##_start(long from, long to, long step,           \
							  long chunk, long *first, long *last)     \
	{                                                                                          \
		struct omp_place *p = omp_here();                                                  \
		if (!p)                                                                            \
			return OMP_ORIGINAL(GOMP_loop_ordered_##name##_start, from, to, step,      \
					    chunk, first, last);                                   \
		START(long,                                                                        \
		      general(omp_signed_loop(kind_, from, to, step, chunk), (uint64_t)chunk,      \
			      true, NULL),                                                         \
		      NULL);                                                                       \
	}                                                                                          \
	HOOK_EXPORT bool GOMP_loop_ull_ordered_##name##_start(bool up, ull from, ull to, ull step, \
							      ull chunk, ull *first, ull *last)    \
	{                                                                                          \
		struct omp_place *p = omp_here();                                                  \
		if (!p)                                                                            \
			return OMP_ORIGINAL(GOMP_loop_ull_ordered_##name##_start, up, from, to,    \
					    step, chunk, first, last);                             \
		START(ull,                                                                         \
		      general(omp_unsigned_loop(kind_, up, from, to, step), chunk, true, NULL),    \
		      NULL);                                                                       \
	}                                                                                          \
	ORDERED_NEXT(name)

#define ORDERED_NEXT(name)                                                                         \
	HOOK_EXPORT bool GOMP_loop_ordered_##name##_next(long *first, long *last)                  \
	{                                                                                          \
		struct omp_place *p = omp_here();                                                  \
		if (!p)                                                                            \
			return OMP_ORIGINAL(GOMP_loop_ordered_##name##_next, first, last);         \
		return omp_share_next(p, (uint64_t *)first, (uint64_t *)last, HOOK_CALLER);        \
	}                                                                                          \
	HOOK_EXPORT bool GOMP_loop_ull_ordered_##name##_next(ull *first, ull *last)                \
	{                                                                                          \
		struct omp_place *p = omp_here();                                                  \
		if (!p)                                                                            \
			return OMP_ORIGINAL(GOMP_loop_ull_ordered_##name##_next, first, last);     \
		return omp_share_next(p, (uint64_t *)first, (uint64_t *)last, HOOK_CALLER);        \
	}

ORDERED(static, OMP_STATIC)
ORDERED(dynamic, OMP_DYNAMIC)
ORDERED(guided, OMP_GUIDED)
ORDERED_NEXT(runtime)

HOOK_EXPORT bool GOMP_loop_ordered_runtime_start(long from, long to, long step, long *first,
						 long *last)
{
	if (!omp_here())
		return OMP_ORIGINAL(GOMP_loop_ordered_runtime_start, from, to, step, first, last);
	return GOMP_loop_ordered_dynamic_start(from, to, step, 1, first, last);
}

HOOK_EXPORT bool GOMP_loop_ull_ordered_runtime_start(bool up, ull from, ull to, ull step,
						     ull *first, ull *last)
{
	if (!omp_here())
		return OMP_ORIGINAL(GOMP_loop_ull_ordered_runtime_start, up, from, to, step, first,
				    last);
	return GOMP_loop_ull_ordered_dynamic_start(up, from, to, step, 1, first, last);
}

/* Doacross, for both types of counters. */
#define DOACROSS(name, type)                                                                       \
	HOOK_EXPORT bool name##_start(unsigned dims, type *counts, long schedule, type chunk,      \
				      type *first, type *last, uintptr_t *reduce, void **memory)   \
	{                                                                                          \
		struct omp_place *p = omp_here();                                                  \
		if (!p)                                                                            \
			return OMP_ORIGINAL(name##_start, dims, counts, schedule, chunk, first,    \
					    last, reduce, memory);                                 \
		START(type,                                                                        \
		      general(across(dims, counts, schedule, (uint64_t)chunk), (uint64_t)chunk,    \
			      false, reduce),                                                      \
		      memory);                                                                     \
	}                                                                                          \
	HOOK_EXPORT bool name##_runtime_start(unsigned dims, type *counts, type *first,            \
					      type *last)                                          \
	{                                                                                          \
		struct omp_place *p = omp_here();                                                  \
		if (!p)                                                                            \
			return OMP_ORIGINAL(name##_runtime_start, dims, counts, first, last);      \
		START(type, across(dims, counts, 0, 1), NULL);                                     \
	}                                                                                          \
	DOACROSS_KIND(name, static, type, 1)                                                       \
	DOACROSS_KIND(name, dynamic, type, 2)                                                      \
	DOACROSS_KIND(name, guided, type, 3)

#define DOACROSS_KIND(name, kind, type, schedule)                                                  \
	HOOK_EXPORT bool name##_##kind##_start(unsigned dims, type *counts, type chunk,            \
					       type *first, type *last)                            \
	{                                                                                          \
		struct omp_place *p = omp_here();                                                  \
		if (!p)                                                                            \
			return OMP_ORIGINAL(name##_##kind##_start, dims, counts, chunk, first,     \
					    last);                                                 \
		START(type, across(dims, counts, schedule, (uint64_t)chunk), NULL);                \
	}

DOACROSS(GOMP_loop_doacross, long)
DOACROSS(GOMP_loop_ull_doacross, ull)

HOOK_EXPORT unsigned GOMP_sections2_start(unsigned count, uintptr_t *reduce, void **memory)
{
	struct omp_place *p = omp_here();
	struct omp_loop loop = {.kind = OMP_SECTIONS, .start = 1, .step = 1, .count = count};
	uint64_t range[2] = {0, 0};
	if (!p)
		return OMP_ORIGINAL(GOMP_sections2_start, count, reduce, memory);
	loop.extra.reduce = reduce;
	return start(p, &loop, range, memory, HOOK_CALLER) ? (unsigned)range[0] : 0;
}
