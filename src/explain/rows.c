#include "explain/rows.h"

#include <assert.h>

/* Signals to a condition that are shown when a thread waits at it for ever. */
#define MAX_SIGNALS 2

void explain_marks_init(struct explain_marks *m, const struct explain_exec *x)
{
	*m = (struct explain_marks){.x = x};
	m->roles = xcalloc(x->ops.count + 1, sizeof(*m->roles));
	m->flow = xmalloc((x->ops.count + 1) * sizeof(*m->flow));
	memset(m->flow, 0xff, (x->ops.count + 1) * sizeof(*m->flow));
}

void explain_marks_fini(struct explain_marks *m)
{
	free(m->roles);
	free(m->flow);
}

void explain_mark(struct explain_marks *m, uint32_t op, uint32_t roles, uint32_t flow)
{
	if (op == EXPLAIN_NONE)
		return;
	assert(op < m->x->ops.count);
	m->roles[op] |= roles;
	if (m->flow[op] == EXPLANATION_NONE)
		m->flow[op] = flow;
}

void explain_marks_mirror(const struct explain_marks *from, struct explain_marks *to)
{
	for (uint32_t i = 0; i < from->x->ops.count; i++) {
		uint32_t at;

		if (!from->roles[i])
			continue;
		at = explain_exec_find(to->x, from->x->ops.items[i].key);
		if (at != EXPLAIN_NONE &&
		    explain_event(to->x, at)->site == explain_event(from->x, i)->site)
			explain_mark(to, at, EXPLAINED_CONTEXT, from->flow[i]);
	}
}

/* ---- threads that are stuck ---- */

static bool is_stuck(const struct wire_thread *t)
{
	return t->state == THREAD_BLOCKED || t->state == THREAD_SPINNING;
}

/* The operation that took the lock the thread still holds. */
static void mark_taken(struct explain_marks *m, uint32_t tid, uint64_t lock)
{
	for (uint32_t i = (uint32_t)m->x->ops.count; i-- > 0;) {
		const struct wire_event *v = explain_event(m->x, i);

		if (v->tid != tid || v->addr != lock ||
		    !(explain_takes(v) || v->kind == EVENT_COND_WAKE))
			continue;
		explain_mark(m, i, EXPLAINED_CONTEXT, EXPLANATION_NONE);
		return;
	}
}

/* Its last wait, and who signalled since then, or last: and whom that woke. */
static void mark_waiting(struct explain_marks *m, uint32_t tid, uint64_t condition)
{
	unsigned signals = 0;
	bool waits = false;

	for (uint32_t i = (uint32_t)m->x->ops.count; i-- > 0 && (!waits || signals == 0);) {
		const struct wire_event *v = explain_event(m->x, i);
		bool signal = v->kind == EVENT_COND_SIGNAL || v->kind == EVENT_COND_BROADCAST;
		bool wait = v->kind == EVENT_COND_WAIT && v->tid == tid && !waits;

		if (v->addr != condition)
			continue;
		waits = waits || wait;
		if (wait || (signal && signals++ < MAX_SIGNALS) ||
		    (v->kind == EVENT_COND_WAKE && signals < MAX_SIGNALS && !waits))
			explain_mark(m, i, EXPLAINED_CONTEXT, EXPLANATION_NONE);
	}
}

static bool waits_at_condition(const struct wire_thread *t)
{
	return t->pending_kind == EVENT_COND_WAIT || t->pending_kind == EVENT_COND_WAKE;
}

/* Somebody waits for what this thread holds, or it holds something while it waits itself. */
static bool is_waited_for(const struct run_result *r, uint32_t tid)
{
	for (size_t i = 0; i < r->threads.count; i++)
		if (is_stuck(&r->threads.items[i]) && r->threads.items[i].waits_for == tid &&
		    r->threads.items[i].pending_kind != EVENT_THREAD_JOIN)
			return true;
	return false;
}

void explain_mark_stuck(struct explain_marks *m)
{
	const struct run_result *r = &m->x->run;

	for (uint32_t tid = 0; tid < r->threads.count; tid++) {
		const struct wire_thread *t = &r->threads.items[tid];

		if (is_waited_for(r, tid))
			for (unsigned i = 0; i < t->held_count && i < WIRE_MAX_HELD; i++)
				mark_taken(m, tid, t->held[i].addr);
		if (is_stuck(t) && waits_at_condition(t))
			mark_waiting(m, tid, t->pending_addr);
	}
}

/* The last thing the failing thread read of what others write, and what made the failing object. */
void explain_mark_failure(const struct explain_failing *f, struct explain_marks *m)
{
	const struct wire_failure *w = &m->x->run.wire.failure;
	bool freed = w->object == OBJECT_FREED;

	for (uint32_t i = (uint32_t)m->x->ops.count; i-- > 0 && f->thread != EXPLAIN_NONE;) {
		const struct explain_op *o = &m->x->ops.items[i];
		bool foreign =
			o->source != EXPLAIN_NONE && m->x->ops.items[o->source].thread != o->thread;

		if (o->thread != f->thread || !foreign || !explain_reads(explain_event(m->x, i)))
			continue;
		explain_mark(m, i, EXPLAINED_CONTEXT, EXPLANATION_NONE);
		break;
	}
	for (uint32_t i = (uint32_t)m->x->ops.count; i-- > 0 && freed;) {
		const struct wire_event *v = explain_event(m->x, i);

		if (v->kind == EVENT_FREE && v->addr == w->object_base) {
			explain_mark(m, i, EXPLAINED_CONTEXT, EXPLANATION_NONE);
			break;
		}
	}
}

/* ---- rows ---- */

static void add_row(struct explanation_side *side, struct explanation_row row)
{
	row.twin = EXPLANATION_NONE;
	vec_push(&side->rows, row);
}

static void add_end(const struct explain_exec *x, struct explanation_side *side)
{
	const struct run_result *r = &x->run;
	bool stuck = r->wire.failure.kind == FAILURE_DEADLOCK ||
		     r->wire.failure.kind == FAILURE_LIVELOCK;

	for (uint32_t tid = 0; tid < r->threads.count && stuck; tid++)
		if (is_stuck(&r->threads.items[tid]))
			add_row(side, (struct explanation_row){
					      .event = EXPLANATION_NONE,
					      .thread = tid,
					      .roles = EXPLAINED_STUCK,
					      .flow = EXPLANATION_NONE,
				      });
	for (size_t i = r->events.count; i-- > 0 && !stuck;) {
		if (r->events.items[i].kind != EVENT_FAILURE)
			continue;
		add_row(side, (struct explanation_row){
				      .event = (uint32_t)i,
				      .thread = x->thread.items[r->events.items[i].tid],
				      .roles = EXPLAINED_FAILS,
				      .flow = EXPLANATION_NONE,
			      });
		break;
	}
}

void explain_rows_make(const struct explain_marks *m, bool failing, struct explanation_side *side)
{
	uint32_t skipped = 0;

	for (uint32_t i = 0; i < m->x->ops.count; i++) {
		if (!m->roles[i]) {
			skipped++;
			continue;
		}
		add_row(side, (struct explanation_row){
				      .event = m->x->ops.items[i].event,
				      .thread = m->x->ops.items[i].thread,
				      .roles = m->roles[i],
				      .flow = m->flow[i],
				      .skipped = skipped,
			      });
		skipped = 0;
	}
	if (failing)
		add_end(m->x, side);
}

static uint64_t key_of(const struct explain_marks *m, const struct explanation_row *row)
{
	for (uint32_t i = 0; i < m->x->ops.count; i++)
		if (m->x->ops.items[i].event == row->event)
			return m->x->ops.items[i].key;
	return UINT64_MAX;
}

void explain_rows_pair(struct explanation *x, const struct explain_marks *failing,
		       const struct explain_marks *passing)
{
	for (uint32_t i = 0; i < x->failing.rows.count; i++) {
		struct explanation_row *a = &x->failing.rows.items[i];
		uint64_t key = a->event == EXPLANATION_NONE ? UINT64_MAX : key_of(failing, a);
		uint32_t op = key == UINT64_MAX ? EXPLAIN_NONE : explain_exec_find(passing->x, key);

		for (uint32_t k = 0; k < x->passing.rows.count && op != EXPLAIN_NONE; k++) {
			if (x->passing.rows.items[k].event != passing->x->ops.items[op].event)
				continue;
			a->twin = k;
			x->passing.rows.items[k].twin = i;
		}
	}
}
