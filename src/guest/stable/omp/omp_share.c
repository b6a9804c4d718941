/* Work-sharing constructs: loops, sections, single. */
#include "guest/stable/hook/hook.h"
#include "guest/stable/omp/omp.h"
#include "guest/stable/os.h"

static void fini(struct omp_share *s)
{
	if (s->memory)
		os_unmap(s->memory, s->memory_bytes);
	s->memory = NULL;
}

void omp_share_fini(struct omp_team *team)
{
	for (int i = 0; i < OMP_SHARES; i++)
		fini(&team->share[i]);
}

void omp_share_fill(struct omp_share *s, const struct omp_loop *loop, uint32_t threads)
{
	fini(s);
	*s = (struct omp_share){.id = 1,
				.left = threads,
				.kind = loop->kind,
				.end = loop->count,
				.chunk = loop->chunk,
				.start = loop->start,
				.step = loop->step,
				.extra = loop->extra};
	/* Only a static schedule knows a chunk of "as even as possible". */
	if (!s->chunk && s->kind != OMP_STATIC)
		s->chunk = 1;
	if (s->extra.dims || s->extra.bytes)
		omp_ordered_fill(s);
	if (s->extra.reduce)
		omp_reduce_register(s->extra.reduce, NULL, threads);
}

/*
 * With the turn: the construct the thread enters now.  The first to come fills it; a slot of the
 * ring is free again when all threads of the team are through with its former construct.
 */
static struct omp_share *enter(struct sched_thread *t, struct omp_place *p,
			       const struct omp_loop *loop)
{
	uint64_t id = ++p->shares;
	struct omp_share *s = &p->team->share[id % OMP_SHARES];
	while (s->id != id && s->left > 0)
		hook_wait(t, STABLE_OP_OMP_LOOP, s, 0);
	if (s->id != id) {
		omp_share_fill(s, loop, (uint32_t)p->team->size);
		s->id = id;
		p->team->has_memory |= s->memory != NULL;
	}
	p->share = s;
	p->from = p->to = p->trip = 0;
	if (loop->extra.reduce)
		omp_reduce_enter(p, loop->extra.reduce);
	return s;
}

static void leave(struct omp_place *p)
{
	if (--p->share->left == 0)
		sched_broadcast(p->share);
}

/* Of a static schedule: chunk by chunk around the team, or one even part each. */
static bool take_static(struct omp_place *p, uint64_t *next, uint64_t *size)
{
	struct omp_share *s = p->share;
	uint64_t threads = (uint64_t)p->team->size, number = (uint64_t)p->number;
	if (s->chunk) {
		*next = (p->trip++ * threads + number) * s->chunk;
		*size = s->chunk;
		return *next < s->end;
	}
	uint64_t even = s->end / threads, more = s->end % threads;
	*size = even + (number < more);
	*next = number * even + (number < more ? number : more);
	return p->trip++ == 0 && *size > 0;
}

static bool take_next(struct omp_place *p, uint64_t *next, uint64_t *size)
{
	struct omp_share *s = p->share;
	uint64_t left = s->end - s->next;
	if (s->kind == OMP_STATIC)
		return take_static(p, next, size);
	*next = s->next;
	*size = s->chunk;
	if (s->kind == OMP_GUIDED && left / (uint64_t)p->team->size > *size)
		*size = left / (uint64_t)p->team->size;
	s->next += *size < left ? *size : left;
	return left > 0;
}

/* With the turn: the next part of the construct; false when nothing is left. */
static bool take(struct sched_thread *t, struct omp_place *p, uint64_t *from, uint64_t *to)
{
	struct omp_share *s = p->share;
	uint64_t next, size;
	if (p->to > p->from && (s->extra.ordered || s->posted))
		omp_ordered_done(t, p);
	p->from = p->to = 0;
	if (!take_next(p, &next, &size))
		return false;
	if (size > s->end - next)
		size = s->end - next;
	p->from = p->at = next;
	p->to = next + size;
	*from = s->start + p->from * s->step;
	*to = s->start + p->to * s->step;
	return true;
}

bool omp_share_next(struct omp_place *p, uint64_t *from, uint64_t *to, uintptr_t caller)
{
	struct sched_thread *t = hook_begin(caller, STABLE_OP_OMP_LOOP);
	if (!t)
		return false;
	bool got = take(t, p, from, to);
	hook_log(t, STABLE_OP_OMP_LOOP, NULL, 0, got ? (uint32_t)p->to : 0);
	hook_end(t);
	return got;
}

/* from NULL: the compiler shares out the iterations itself. */
bool omp_share_start(struct omp_place *p, const struct omp_loop *loop, uint64_t *from, uint64_t *to,
		     uintptr_t caller)
{
	struct sched_thread *t = hook_begin(caller, STABLE_OP_OMP_LOOP);
	if (!t)
		return false;
	enter(t, p, loop);
	bool got = !from || take(t, p, from, to);
	hook_log(t, STABLE_OP_OMP_LOOP, NULL, 0, got ? (uint32_t)p->to : 0);
	hook_end(t);
	return got;
}

static void finish(struct omp_place *p, bool meet, uintptr_t caller)
{
	struct sched_thread *t = hook_begin(caller, STABLE_OP_OMP_LOOP);
	if (!t)
		return;
	if (p->share)
		leave(p);
	hook_log(t, STABLE_OP_OMP_LOOP, NULL, STABLE_RES_RETURN, 0);
	hook_end(t);
	if (meet)
		omp_barrier(t, p, false, caller);
}

struct omp_loop omp_signed_loop(enum omp_share_kind kind, long from, long to, long step, long chunk)
{
	struct omp_loop loop = {.kind = kind,
				.start = (uint64_t)from,
				.step = (uint64_t)step,
				.chunk = (uint64_t)chunk};
	if (step > 0 && from < to)
		loop.count = ((uint64_t)to - (uint64_t)from + (uint64_t)step - 1) / (uint64_t)step;
	else if (step < 0 && from > to)
		loop.count =
			((uint64_t)from - (uint64_t)to + (uint64_t)-step - 1) / (uint64_t)-step;
	return loop;
}

struct omp_loop omp_unsigned_loop(enum omp_share_kind kind, bool up, uint64_t from, uint64_t to,
				  uint64_t step)
{
	struct omp_loop loop = {.kind = kind, .start = from, .step = step};
	if (up && from < to)
		loop.count = (to - from + step - 1) / step;
	else if (!up && from > to)
		loop.count = (from - to + -step - 1) / -step;
	return loop;
}

#define LOOP(name, kind_)                                                                          \
	HOOK_EXPORT bool GOMP_loop_##name##_start(long from, long to, long step, long chunk,       \
						  long *first, long *last)                         \
	{                                                                                          \
		struct omp_place *p = omp_here();                                                  \
		struct omp_loop loop = omp_signed_loop(kind_, from, to, step, chunk);              \
		uint64_t a, b;                                                                     \
		if (!p)                                                                            \
			return OMP_ORIGINAL(GOMP_loop_##name##_start, from, to, step, chunk,       \
					    first, last);                                          \
		if (!omp_share_start(p, &loop, &a, &b, HOOK_CALLER))                               \
			return false;                                                              \
		*first = (long)a;                                                                  \
		*last = (long)b;                                                                   \
		return true;                                                                       \
	}                                                                                          \
	HOOK_EXPORT bool GOMP_loop_##name##_next(long *first, long *last)                          \
	{                                                                                          \
		struct omp_place *p = omp_here();                                                  \
		uint64_t a, b;                                                                     \
		if (!p)                                                                            \
			return OMP_ORIGINAL(GOMP_loop_##name##_next, first, last);                 \
		if (!omp_share_next(p, &a, &b, HOOK_CALLER))                                       \
			return false;                                                              \
		*first = (long)a;                                                                  \
		*last = (long)b;                                                                   \
		return true;                                                                       \
	}

LOOP(dynamic, OMP_DYNAMIC)
LOOP(nonmonotonic_dynamic, OMP_DYNAMIC)
LOOP(guided, OMP_GUIDED)
LOOP(nonmonotonic_guided, OMP_GUIDED)
LOOP(static, OMP_STATIC)

/* schedule(runtime): no chunk in the call. */
#define RUNTIME_LOOP(name)                                                                         \
	HOOK_EXPORT bool GOMP_loop_##name##_start(long from, long to, long step, long *first,      \
						  long *last)                                      \
	{                                                                                          \
		if (!omp_here())                                                                   \
			return OMP_ORIGINAL(GOMP_loop_##name##_start, from, to, step, first,       \
					    last);                                                 \
		return GOMP_loop_dynamic_start(from, to, step, 1, first, last);                    \
	}                                                                                          \
	HOOK_EXPORT bool GOMP_loop_##name##_next(long *first, long *last)                          \
	{                                                                                          \
		if (!omp_here())                                                                   \
			return OMP_ORIGINAL(GOMP_loop_##name##_next, first, last);                 \
		return GOMP_loop_dynamic_next(first, last);                                        \
	}

RUNTIME_LOOP(runtime)
RUNTIME_LOOP(nonmonotonic_runtime)
RUNTIME_LOOP(maybe_nonmonotonic_runtime)

HOOK_EXPORT void GOMP_loop_end(void)
{
	struct omp_place *p = omp_here();
	if (p)
		finish(p, true, HOOK_CALLER);
	else
		OMP_ORIGINAL(GOMP_loop_end);
}

HOOK_EXPORT void GOMP_loop_end_nowait(void)
{
	struct omp_place *p = omp_here();
	if (p)
		finish(p, false, HOOK_CALLER);
	else
		OMP_ORIGINAL(GOMP_loop_end_nowait);
}

/* Unsigned long long loops have their direction as a flag. */
#define ULL_LOOP(name, kind_)                                                                      \
	HOOK_EXPORT bool GOMP_loop_ull_##name##_start(                                             \
		bool up, unsigned long long from, unsigned long long to, unsigned long long step,  \
		unsigned long long chunk, unsigned long long *first, unsigned long long *last)     \
	{                                                                                          \
		struct omp_place *p = omp_here();                                                  \
		struct omp_loop loop = omp_unsigned_loop(kind_, up, from, to, step);               \
		uint64_t a, b;                                                                     \
		loop.chunk = chunk;                                                                \
		if (!p)                                                                            \
			return OMP_ORIGINAL(GOMP_loop_ull_##name##_start, up, from, to, step,      \
					    chunk, first, last);                                   \
		if (!omp_share_start(p, &loop, &a, &b, HOOK_CALLER))                               \
			return false;                                                              \
		*first = a;                                                                        \
		*last = b;                                                                         \
		return true;                                                                       \
	}                                                                                          \
	HOOK_EXPORT bool GOMP_loop_ull_##name##_next(unsigned long long *first,                    \
						     unsigned long long *last)                     \
	{                                                                                          \
		if (!omp_here())                                                                   \
			return OMP_ORIGINAL(GOMP_loop_ull_##name##_next, first, last);             \
		return GOMP_loop_dynamic_next((long *)first, (long *)last);                        \
	}

ULL_LOOP(dynamic, OMP_DYNAMIC)
ULL_LOOP(nonmonotonic_dynamic, OMP_DYNAMIC)
ULL_LOOP(guided, OMP_GUIDED)
ULL_LOOP(nonmonotonic_guided, OMP_GUIDED)
ULL_LOOP(static, OMP_STATIC)

#define ULL_RUNTIME_LOOP(name)                                                                     \
	HOOK_EXPORT bool GOMP_loop_ull_##name##_start(                                             \
		bool up, unsigned long long from, unsigned long long to, unsigned long long step,  \
		unsigned long long *first, unsigned long long *last)                               \
	{                                                                                          \
		if (!omp_here())                                                                   \
			return OMP_ORIGINAL(GOMP_loop_ull_##name##_start, up, from, to, step,      \
					    first, last);                                          \
		return GOMP_loop_ull_dynamic_start(up, from, to, step, 1, first, last);            \
	}                                                                                          \
	HOOK_EXPORT bool GOMP_loop_ull_##name##_next(unsigned long long *first,                    \
						     unsigned long long *last)                     \
	{                                                                                          \
		if (!omp_here())                                                                   \
			return OMP_ORIGINAL(GOMP_loop_ull_##name##_next, first, last);             \
		return GOMP_loop_dynamic_next((long *)first, (long *)last);                        \
	}

ULL_RUNTIME_LOOP(runtime)
ULL_RUNTIME_LOOP(nonmonotonic_runtime)
ULL_RUNTIME_LOOP(maybe_nonmonotonic_runtime)

/* parallel and loop in one: the construct is there before the team starts. */
#define PARALLEL_LOOP(name, kind_)                                                                 \
	HOOK_EXPORT void GOMP_parallel_loop_##name(void (*fn)(void *), void *data,                 \
						   unsigned threads, long from, long to,           \
						   long step, long chunk, unsigned flags)          \
	{                                                                                          \
		struct omp_loop loop = omp_signed_loop(kind_, from, to, step, chunk);              \
		if (!omp_is_ours()) {                                                              \
			struct sched_thread *t = omp_outside_begin();                              \
			OMP_ORIGINAL(GOMP_parallel_loop_##name, fn, data, threads, from, to, step, \
				     chunk, flags);                                                \
			omp_outside_end(t);                                                        \
			return;                                                                    \
		}                                                                                  \
		omp_run_loop(fn, data, threads, &loop, HOOK_CALLER);                               \
	}

/* In such a function every thread begins with the next call, not with a start. */
struct member {
	void (*fn)(void *);
	void *data;
};

static void run_member(void *argument)
{
	struct member *m = argument;
	struct omp_place *p = omp_here();
	p->shares = 1;
	p->share = &p->team->share[1 % OMP_SHARES];
	m->fn(m->data);
}

static void omp_run_loop(void (*fn)(void *), void *data, unsigned threads,
			 const struct omp_loop *loop, uintptr_t caller)
{
	struct member m = {fn, data};
	omp_run(run_member, &m, threads, loop, caller);
}

PARALLEL_LOOP(dynamic, OMP_DYNAMIC)
PARALLEL_LOOP(nonmonotonic_dynamic, OMP_DYNAMIC)
PARALLEL_LOOP(guided, OMP_GUIDED)
PARALLEL_LOOP(nonmonotonic_guided, OMP_GUIDED)
PARALLEL_LOOP(static, OMP_STATIC)

#define PARALLEL_RUNTIME(name)                                                                     \
	HOOK_EXPORT void GOMP_parallel_loop_##name(void (*fn)(void *), void *data,                 \
						   unsigned threads, long from, long to,           \
						   long step, unsigned flags)                      \
	{                                                                                          \
		struct omp_loop loop = omp_signed_loop(OMP_DYNAMIC, from, to, step, 1);            \
		if (!omp_is_ours()) {                                                              \
			struct sched_thread *t = omp_outside_begin();                              \
			OMP_ORIGINAL(GOMP_parallel_loop_##name, fn, data, threads, from, to, step, \
				     flags);                                                       \
			omp_outside_end(t);                                                        \
			return;                                                                    \
		}                                                                                  \
		omp_run_loop(fn, data, threads, &loop, HOOK_CALLER);                               \
	}

PARALLEL_RUNTIME(runtime)
PARALLEL_RUNTIME(nonmonotonic_runtime)
PARALLEL_RUNTIME(maybe_nonmonotonic_runtime)

HOOK_EXPORT unsigned GOMP_sections_start(unsigned count)
{
	struct omp_place *p = omp_here();
	struct omp_loop loop = {.kind = OMP_SECTIONS, .start = 1, .step = 1, .count = count};
	uint64_t a = 0, b;
	if (!p)
		return OMP_ORIGINAL(GOMP_sections_start, count);
	return omp_share_start(p, &loop, &a, &b, HOOK_CALLER) ? (unsigned)a : 0;
}

HOOK_EXPORT unsigned GOMP_sections_next(void)
{
	struct omp_place *p = omp_here();
	uint64_t a = 0, b;
	if (!p)
		return OMP_ORIGINAL(GOMP_sections_next);
	return omp_share_next(p, &a, &b, HOOK_CALLER) ? (unsigned)a : 0;
}

HOOK_EXPORT void GOMP_sections_end(void)
{
	if (omp_here())
		GOMP_loop_end();
	else
		OMP_ORIGINAL(GOMP_sections_end);
}

HOOK_EXPORT void GOMP_sections_end_nowait(void)
{
	if (omp_here())
		GOMP_loop_end_nowait();
	else
		OMP_ORIGINAL(GOMP_sections_end_nowait);
}

HOOK_EXPORT void GOMP_parallel_sections(void (*fn)(void *), void *data, unsigned threads,
					unsigned count, unsigned flags)
{
	struct omp_loop loop = {.kind = OMP_SECTIONS, .start = 1, .step = 1, .count = count};
	if (!omp_is_ours()) {
		struct sched_thread *t = omp_outside_begin();
		OMP_ORIGINAL(GOMP_parallel_sections, fn, data, threads, count, flags);
		omp_outside_end(t);
		return;
	}
	omp_run_loop(fn, data, threads, &loop, HOOK_CALLER);
}

/* The thread that has the turn first does it. */
HOOK_EXPORT bool GOMP_single_start(void)
{
	struct omp_place *p = omp_here();
	struct omp_loop one = {.kind = OMP_SINGLE, .step = 1, .count = 1};
	uint64_t a, b;
	if (!p)
		return OMP_ORIGINAL(GOMP_single_start);
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_OMP_SINGLE);
	if (!t)
		return true;
	enter(t, p, &one);
	bool mine = take(t, p, &a, &b);
	leave(p);
	hook_log(t, STABLE_OP_OMP_SINGLE, NULL, 0, mine);
	hook_end(t);
	return mine;
}

/* NULL for the thread that does it; the others get what it hands to GOMP_single_copy_end(). */
HOOK_EXPORT void *GOMP_single_copy_start(void)
{
	struct omp_place *p = omp_here();
	if (!p)
		return OMP_ORIGINAL(GOMP_single_copy_start);
	if (GOMP_single_start())
		return NULL;
	omp_barrier(sched_self, p, false, HOOK_CALLER);
	return p->share->copy;
}

HOOK_EXPORT void GOMP_single_copy_end(void *data)
{
	struct omp_place *p = omp_here();
	if (!p) {
		OMP_ORIGINAL(GOMP_single_copy_end, data);
		return;
	}
	p->share->copy = data;
	omp_barrier(sched_self, p, false, HOOK_CALLER);
}
