#include "explain/project.h"

#include <assert.h>

#include "explain/rows.h"

struct projection {
	const struct explain_search *s;
	const struct explain_failing *f;
	struct explanation *out;
	struct explain_marks failing, passing;
	uint32_t fails, decided; /* who fails later on the passing side, and its last branch */
};

static uint32_t event_of(const struct explain_exec *x, uint32_t op)
{
	return op == EXPLAIN_NONE ? EXPLANATION_NONE : x->ops.items[op].event;
}

/* ---- flows ---- */

static void mark_flow(struct projection *p, uint32_t to_f, uint32_t to_a, uint32_t from_f,
		      uint32_t from_a)
{
	uint32_t n = (uint32_t)p->out->flows.count - 1;
	uint32_t role = p->out->flows.items[n].same ? EXPLAINED_CONTEXT : EXPLAINED_GETS;

	explain_mark(&p->failing, to_f, role, n);
	explain_mark(&p->passing, to_a, role, n);
	explain_mark(&p->failing, from_f, EXPLAINED_GIVES, n);
	explain_mark(&p->passing, from_a, EXPLAINED_GIVES, n);
}

static uint64_t place_of(const struct wire_event *v)
{
	return explain_syncs(v) ? explain_object(v) : v->addr;
}

/* The flow into an operation, or into where a thread stood; to_a: the same one of the other side.
 */
static void add_flow(struct projection *p, uint32_t to_f, uint32_t standing, uint32_t to_a,
		     bool root)
{
	const struct explain_exec *f = &p->f->exec, *a = &p->s->best;
	const struct explain_standing *st =
		standing == EXPLAIN_NONE ? NULL : &p->f->standing.items[standing];
	uint32_t from_f = st ? st->source : f->ops.items[to_f].source;
	uint32_t from_a = to_a == EXPLAIN_NONE ? EXPLAIN_NONE : a->ops.items[to_a].source;
	struct explanation_flow flow = {
		.memory = !st && explain_reads(explain_event(f, to_f)),
		.root = root,
		.thread = st ? st->thread : f->ops.items[to_f].thread,
		.to = {event_of(f, to_f), event_of(a, to_a)},
		.from = {event_of(f, from_f), event_of(a, from_a)},
		.addr = st ? st->addr : place_of(explain_event(f, to_f)),
		.same = !st && to_a != EXPLAIN_NONE &&
			f->ops.items[to_f].origin == a->ops.items[to_a].origin,
	};

	vec_push(&p->out->flows, flow);
	if (root)
		mark_flow(p, to_f, to_a, from_f, from_a);
}

/* Where the flow of the other side comes from, as long as it is in this execution, too. */
static void mark_elsewhere(struct projection *p)
{
	for (uint32_t i = 0; i < p->out->flows.count; i++) {
		const struct explanation_flow *flow = &p->out->flows.items[i];

		for (uint32_t op = 0; op < p->failing.x->ops.count && flow->root; op++) {
			uint32_t at;

			if (p->failing.x->ops.items[op].event != flow->from[0])
				continue;
			at = explain_exec_find(p->passing.x, p->failing.x->ops.items[op].key);
			explain_mark(&p->passing, at, EXPLAINED_ELSEWHERE, i);
		}
		for (uint32_t op = 0; op < p->passing.x->ops.count && flow->root; op++) {
			uint32_t at;

			if (p->passing.x->ops.items[op].event != flow->from[1])
				continue;
			at = explain_exec_find(p->failing.x, p->passing.x->ops.items[op].key);
			explain_mark(&p->failing, at, EXPLAINED_ELSEWHERE, i);
		}
	}
}

static bool is_root(const struct projection *p, const struct explain_variation *v)
{
	for (size_t i = 0; i < p->out->flows.count; i++) {
		const struct explanation_flow *f = &p->out->flows.items[i];

		if (f->root &&
		    (v->standing == EXPLAIN_NONE
			     ? f->to[0] == event_of(&p->f->exec, v->failing)
			     : f->to[0] == EXPLANATION_NONE &&
				       f->thread == p->f->standing.items[v->standing].thread))
			return true;
	}
	return false;
}

static void add_flows(struct projection *p, const struct explain_roots *roots)
{
	const struct explain_difference *d = &p->s->difference;
	size_t n = p->s->interest.count;

	for (size_t i = 0; i < roots->chosen.count; i++) {
		uint32_t item = roots->chosen.items[i];
		uint32_t op = item < n ? p->s->interest.items[item] : EXPLAIN_NONE;
		uint32_t standing = item < n ? EXPLAIN_NONE : item - (uint32_t)n;

		add_flow(p, op, standing,
			 item < n ? explain_exec_find(&p->s->best, p->f->exec.ops.items[op].key)
				  : explain_beyond(p->f, &p->s->best, standing),
			 true);
	}
	for (size_t i = 0; i < d->variations.count; i++)
		if (!is_root(p, &d->variations.items[i]))
			add_flow(p, d->variations.items[i].failing, d->variations.items[i].standing,
				 d->variations.items[i].other, false);
	mark_elsewhere(p);
	p->out->reversed = (uint32_t)roots->chosen.count;
}

/* ---- branches ---- */

static uint32_t tid_of(const struct explain_exec *x, uint32_t thread)
{
	for (uint32_t tid = 0; tid < x->thread.count; tid++)
		if (x->thread.items[tid] == thread)
			return tid;
	return EXPLAIN_NONE;
}

/* The n-th branch of a thread, NULL when there is none. */
static const struct wire_event *next_branch(const struct run_result *r, uint32_t tid, size_t *at)
{
	for (; *at < r->events.count; ++*at) {
		const struct wire_event *v = &r->events.items[*at];

		if (v->tid == tid && v->kind == EVENT_BRANCH)
			return &r->events.items[(*at)++];
	}
	return NULL;
}

static void find_branch(struct projection *p, uint32_t thread)
{
	const struct run_result *f = &p->f->exec.run, *a = &p->s->best.run;
	uint32_t tid = tid_of(&p->s->best, thread);
	size_t i = 0, k = 0;

	for (;;) {
		const struct wire_event *x = next_branch(f, thread, &i);
		const struct wire_event *y = next_branch(a, tid, &k);

		if (!x || !y || x->site != y->site)
			return;
		/* The failing condition itself, of either side. */
		if (thread == p->f->thread && x->tix >= p->f->decided)
			return;
		if (tid == p->fails && y->tix >= p->decided)
			return;
		if (x->value == y->value)
			continue;
		vec_push(&p->out->branches,
			 ((struct explanation_branch){thread,
						      x->site,
						      (uint32_t)(x - f->events.items),
						      {x->value, y->value}}));
		return;
	}
}

static void find_later_failure(struct projection *p)
{
	const struct run_result *r = &p->s->best.run;

	p->fails = EXPLAIN_NONE;
	for (size_t i = r->events.count; i-- > 0 && r->verdict == RUN_FAILURE;) {
		const struct wire_event *v = &r->events.items[i];

		if (v->kind != EVENT_BRANCH || v->tid != r->wire.failure.tid)
			continue;
		p->fails = v->tid;
		p->decided = v->tix;
		return;
	}
}

/*
 * A way that leads to the same operations as the other one is another way all the same: operations
 * do not show it, branches do.
 */
static void add_partings(struct projection *p)
{
	find_later_failure(p);
	for (uint32_t thread = 0; thread < p->f->program.count; thread++)
		find_branch(p, thread);
	p->out->same_path = p->out->same_path && p->out->branches.count == 0;
}

static bool has_parted(const struct projection *p, uint32_t thread)
{
	const struct explain_difference *d = &p->s->difference;

	for (size_t i = 0; i < d->partings.count; i++)
		if (d->partings.items[i].thread == thread)
			return true;
	return false;
}

/* The first thing that a thread does where it failed or stood on the other side. */
static void mark_going_on(struct projection *p)
{
	const struct run_result *r = &p->f->exec.run;

	for (uint32_t t = 0; t < p->f->program.count; t++) {
		const struct explain_list *ours = &p->f->program.items[t];
		bool stuck = r->threads.items[t].state == THREAD_BLOCKED ||
			     r->threads.items[t].state == THREAD_SPINNING;
		size_t n = 0;

		if ((p->f->thread == EXPLAIN_NONE ? !stuck : t != p->f->thread) || has_parted(p, t))
			continue;
		for (uint32_t i = 0; i < p->s->best.ops.count; i++) {
			if (p->s->best.ops.items[i].thread != t ||
			    explain_is_commit(&p->s->best, i) || n++ != ours->count)
				continue;
			if (r->threads.items[t].pending_kind != EVENT_THREAD_JOIN)
				explain_mark(&p->passing, i, EXPLAINED_GOES_ON, EXPLANATION_NONE);
			break;
		}
	}
}

void explain_project(const struct explain_search *s, const struct explain_roots *roots,
		     struct explanation *out)
{
	struct projection p = {.s = s, .f = s->failing, .out = out};

	explain_marks_init(&p.failing, &s->failing->exec);
	explain_marks_init(&p.passing, &s->best);
	add_flows(&p, roots);
	add_partings(&p);
	explain_mark_stuck(&p.failing);
	explain_mark_failure(s->failing, &p.failing);
	mark_going_on(&p);
	explain_marks_mirror(&p.failing, &p.passing);
	explain_rows_make(&p.failing, true, &out->failing);
	explain_rows_make(&p.passing, !out->clean, &out->passing);
	explain_rows_pair(out, &p.failing, &p.passing);
	explain_marks_fini(&p.failing);
	explain_marks_fini(&p.passing);
	assert(out->failing.rows.count > 0);
}

void explain_project_failing(const struct explain_failing *f, struct explanation *out)
{
	struct explain_marks m;

	explain_marks_init(&m, &f->exec);
	explain_mark_stuck(&m);
	explain_mark_failure(f, &m);
	explain_rows_make(&m, true, &out->failing);
	explain_marks_fini(&m);
}
