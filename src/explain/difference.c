#include "explain/difference.h"

#include <assert.h>

static void list_programs(const struct explain_exec *x, struct explain_list *lists, size_t n)
{
	for (uint32_t i = 0; i < x->ops.count; i++)
		if (!explain_is_commit(x, i) && x->ops.items[i].thread < n)
			vec_push(&lists[x->ops.items[i].thread], i);
}

static struct explain_list *new_lists(const struct explain_exec *x, size_t n)
{
	struct explain_list *lists = xcalloc(n + 1, sizeof(*lists));

	list_programs(x, lists, n);
	return lists;
}

static void free_lists(struct explain_list *lists, size_t n)
{
	for (size_t i = 0; i < n; i++)
		vec_free(&lists[i]);
	free(lists);
}

/* The last branch before the failure; behind it only the failure itself is reported. */
static uint32_t find_decision(const struct run_result *r)
{
	for (size_t i = r->events.count; i-- > 0;) {
		const struct wire_event *v = &r->events.items[i];

		if (v->tid == r->wire.failure.tid && v->kind == EVENT_BRANCH)
			return v->tix;
	}
	return UINT32_MAX;
}

static bool is_stuck(const struct wire_thread *t)
{
	return t->state == THREAD_BLOCKED || t->state == THREAD_SPINNING;
}

/* The last operation of somebody else at the memory or object, EXPLAIN_NONE. */
static uint32_t last_at(const struct explain_exec *x, uint64_t addr, uint32_t thread)
{
	for (uint32_t i = (uint32_t)x->ops.count; i-- > 0 && addr != 0;) {
		const struct wire_event *v = explain_event(x, i);
		bool here =
			explain_writes(v) && addr >= v->addr && addr < v->addr + explain_bytes(v);

		if (x->ops.items[i].thread != thread &&
		    (here || (explain_syncs(v) && v->addr == addr)))
			return i;
	}
	return EXPLAIN_NONE;
}

static void find_standing(struct explain_failing *f)
{
	const struct run_result *r = &f->exec.run;

	for (uint32_t t = 0; t < r->threads.count; t++) {
		const struct wire_thread *th = &r->threads.items[t];
		bool stuck = f->thread == EXPLAIN_NONE && is_stuck(th) &&
			     th->pending_kind != EVENT_THREAD_JOIN;
		struct explain_standing s = {t, EXPLAIN_NONE,
					     stuck ? th->pending_addr : r->wire.failure.addr};

		if (!stuck && t != f->thread)
			continue;
		s.source = last_at(&f->exec, s.addr, t);
		if (s.source != EXPLAIN_NONE || stuck)
			vec_push(&f->standing, s);
	}
}

/* The program itself found out; other failures happen at an operation. */
static bool fails_in_a_branch(uint32_t kind)
{
	return kind == FAILURE_ASSERT || kind == FAILURE_ABORT || kind == FAILURE_EXIT;
}

void explain_failing_init(struct explain_failing *f, struct run_result *r)
{
	uint32_t kind = r->wire.failure.kind;
	bool stuck = kind == FAILURE_DEADLOCK || kind == FAILURE_LIVELOCK;
	size_t n;

	*f = (struct explain_failing){.thread = EXPLAIN_NONE, .decided = UINT32_MAX};
	f->key = run_result_key(r);
	if (fails_in_a_branch(kind))
		f->decided = find_decision(r);
	explain_exec_init(&f->exec, r, NULL);
	n = f->exec.run.threads.count;
	if (!stuck && f->exec.run.wire.failure.tid < n)
		f->thread = f->exec.run.wire.failure.tid;
	vec_reserve(&f->program, n);
	memset(f->program.items, 0, n * sizeof(*f->program.items));
	f->program.count = n;
	list_programs(&f->exec, f->program.items, n);
	find_standing(f);
}

void explain_failing_fini(struct explain_failing *f)
{
	for (size_t i = 0; i < f->program.count; i++)
		vec_free(&f->program.items[i]);
	vec_free(&f->program);
	vec_free(&f->standing);
	explain_exec_fini(&f->exec);
}

/* ---- paths ---- */

static uint8_t outcome_free(uint8_t kind)
{
	return kind == EVENT_CAS_FAIL ? EVENT_RMW : kind;
}

static bool same_operation(const struct wire_event *a, const struct wire_event *b)
{
	return a->tix == b->tix && a->site == b->site &&
	       outcome_free(a->kind) == outcome_free(b->kind);
}

static void compare_thread(const struct explain_failing *f, const struct explain_exec *x,
			   const struct explain_list *theirs, uint32_t thread,
			   struct explain_difference *out)
{
	const struct explain_list *ours = &f->program.items[thread];
	struct explain_parting p = {thread, EXPLAIN_NONE, EXPLAIN_NONE};

	for (size_t i = 0; i < ours->count; i++) {
		const struct wire_event *a = explain_event(&f->exec, ours->items[i]);

		if (thread == f->thread && a->tix > f->decided)
			return;
		/* It was cut off earlier, which is no other way, unless it ended by itself. */
		if (i >= theirs->count)
			return;
		if (same_operation(a, explain_event(x, theirs->items[i])))
			continue;
		p.failing = ours->items[i];
		p.other = theirs->items[i];
		vec_push(&out->partings, p);
		return;
	}
}

static bool went_on(const struct explain_failing *f, const struct explain_exec *x,
		    const struct explain_list *theirs, uint32_t thread)
{
	const struct explain_list *ours = &f->program.items[thread];

	if (theirs->count > ours->count)
		return true;
	for (uint32_t tid = 0; tid < x->run.threads.count; tid++) {
		const struct wire_thread *t = &x->run.threads.items[tid];

		if (x->thread.items[tid] == thread)
			return t->state == THREAD_FINISHED || t->state == THREAD_GONE;
	}
	return false;
}

/* Who hangs for whom is exchanged, and it hangs all the same. */
static bool hangs_again(const struct explain_failing *f, const struct explain_exec *x)
{
	uint32_t kind = f->exec.run.wire.failure.kind;

	return (kind == FAILURE_DEADLOCK || kind == FAILURE_LIVELOCK) &&
	       x->run.wire.failure.kind == kind;
}

/* It failed, but not before it was past the operation in question: elsewhere, or in another thread.
 */
static bool passes_in_between(const struct explain_failing *f, const struct explain_exec *x,
			      const struct explain_list *theirs)
{
	const struct run_result *r = &f->exec.run;

	if (x->run.verdict != RUN_FAILURE || hangs_again(f, x))
		return false;
	for (uint32_t t = 0; t < r->threads.count; t++) {
		bool counts =
			f->thread == EXPLAIN_NONE ? is_stuck(&r->threads.items[t]) : t == f->thread;

		if (counts && !went_on(f, x, &theirs[t], t))
			return false;
	}
	return true;
}

/* ---- flows ---- */

static void find_variations(const struct explain_failing *f, const struct explain_exec *x,
			    const uint32_t *limit, struct explain_difference *out)
{
	uint32_t furthest = 0;

	for (uint32_t i = 0; i < f->exec.ops.count; i++) {
		const struct explain_op *o = &f->exec.ops.items[i];
		const struct wire_event *v = explain_event(&f->exec, i);
		uint32_t at = explain_exec_find(x, o->key);
		struct explain_variation w = {i, at, EXPLAIN_NONE, explain_reads(v)};

		if (at == EXPLAIN_NONE || v->tix >= limit[o->thread])
			continue;
		if (v->site != explain_event(x, at)->site)
			continue;
		out->moved += at < furthest;
		furthest = at > furthest ? at : furthest;
		if (x->ops.items[at].origin == o->origin)
			continue;
		if (!w.memory && !explain_syncs(v))
			continue;
		vec_push(&out->variations, w);
		out->reads += w.memory;
	}
}

/* It does what it stood at; on another path it may be somewhere else by then. */
static bool is_what_it_stood_at(const struct explain_failing *f, const struct explain_exec *x,
				uint32_t thread, uint32_t op)
{
	const struct wire_thread *t = &f->exec.run.threads.items[thread];

	return f->thread != EXPLAIN_NONE || explain_event(x, op)->site == t->pending_site;
}

uint32_t explain_beyond(const struct explain_failing *f, const struct explain_exec *x,
			uint32_t standing)
{
	uint32_t thread = f->standing.items[standing].thread;
	size_t n = 0;

	for (uint32_t i = 0; i < x->ops.count; i++)
		if (x->ops.items[i].thread == thread && !explain_is_commit(x, i) &&
		    n++ == f->program.items[thread].count)
			return is_what_it_stood_at(f, x, thread, i) ? i : EXPLAIN_NONE;
	return EXPLAIN_NONE;
}

static void find_going_on(const struct explain_failing *f, const struct explain_exec *x,
			  const uint32_t *limit, struct explain_difference *out)
{
	for (uint32_t i = 0; i < f->standing.count; i++) {
		uint32_t at = explain_beyond(f, x, i);

		if (at == EXPLAIN_NONE || limit[f->standing.items[i].thread] != UINT32_MAX)
			continue;
		vec_push(&out->variations,
			 ((struct explain_variation){EXPLAIN_NONE, at, i, false}));
		out->standing++;
	}
}

/* Operations behind the place where a thread goes another way are not the same ones. */
static uint32_t *find_limits(const struct explain_failing *f, const struct explain_difference *d)
{
	uint32_t *limit = xmalloc((f->program.count + 1) * sizeof(*limit));

	memset(limit, 0xff, (f->program.count + 1) * sizeof(*limit));
	for (size_t i = 0; i < d->partings.count; i++) {
		assert(d->partings.items[i].thread < f->program.count);
		limit[d->partings.items[i].thread] =
			explain_event(&f->exec, d->partings.items[i].failing)->tix;
	}
	return limit;
}

void explain_difference(const struct explain_failing *f, const struct explain_exec *x,
			struct explain_difference *out)
{
	size_t n = f->program.count;
	struct explain_list *theirs = new_lists(x, n);
	uint32_t *limit;

	*out = (struct explain_difference){.clean = x->run.verdict == RUN_CLEAN};
	for (uint32_t t = 0; t < n; t++)
		compare_thread(f, x, &theirs[t], t, out);
	out->same_path = out->partings.count == 0;
	out->passes = out->clean || passes_in_between(f, x, theirs);
	limit = find_limits(f, out);
	find_variations(f, x, limit, out);
	find_going_on(f, x, limit, out);
	free(limit);
	free_lists(theirs, n);
}

void explain_difference_fini(struct explain_difference *d)
{
	vec_free(&d->variations);
	vec_free(&d->partings);
}

bool explain_difference_better(const struct explain_difference *a,
			       const struct explain_difference *b)
{
	if (a->same_path != b->same_path)
		return a->same_path;
	if (a->clean != b->clean)
		return a->clean;
	if (a->partings.count != b->partings.count)
		return a->partings.count < b->partings.count;
	if (a->reads != b->reads && (a->reads > 0) == (b->reads > 0))
		return a->reads < b->reads;
	if (a->variations.count != b->variations.count)
		return a->variations.count < b->variations.count;
	return a->moved < b->moved;
}
