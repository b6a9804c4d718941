#include "record/sim.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "run/guest/guest.h"
#include "run/guest/keep.h"
#include "run/guest/points.h"

#define MAX_STEPS UINT64_C(20000000)

struct sim {
	const struct record_sim *o;
	struct trace_recording *r;
	struct trace_bundle b;
	struct run_points p;
};

/* ---- events ---- */

static void add_way(struct sim *s, struct trace_task *t, const struct wire_event *v)
{
	uint32_t unit;
	const struct record_point *p = run_points_find(&s->p, v->site, &unit);

	if (!p)
		return;
	for (unsigned i = run_points_width(p); i-- > 0;)
		trace_task_push(t, (unsigned)(v->value >> i & 1));
}

static void add_stamp(struct trace_task *t, const struct wire_event *v, size_t index, unsigned kind)
{
	struct record_stamp stamp = {.tsc = index + 1,
				     .bits = t->bits,
				     .object = v->addr,
				     .ops = t->row.ops,
				     .kind = (uint16_t)kind};

	if (kind == RECORD_AT_CREATE || kind == RECORD_AT_JOIN)
		stamp.object = v->aux;
	vec_push(&t->stamps, stamp);
	t->row.ops++;
}

static void add_events(struct sim *s)
{
	for (size_t i = 0; i < s->b.events.count; i++) {
		const struct wire_event *v = &s->b.events.items[i];
		struct trace_task *t = &s->r->tasks.items[v->tid];
		unsigned kind = trace_stamp_of(v->kind, v->kind == EVENT_TRYLOCK && v->value);

		if (!t->row.begin)
			t->row.begin = i + 1;
		t->row.end = i + 1;
		if (v->kind == EVENT_BRANCH)
			add_way(s, t, v);
		else if (kind)
			add_stamp(t, v, i, kind);
	}
}

/* ---- threads and failure ---- */

static const char *name_of(const struct sim *s, uint64_t address)
{
	const struct trace_symbol *symbol = trace_symbols_find(&s->b.symbols, address);

	return symbol ? symbol->name : "";
}

/* A timer that sleeps is no thread of the program. */
static uint32_t task_state(const struct wire_thread *w)
{
	if (w->child_index & WIRE_INNER_CHILD)
		return RECORD_THREAD_UNUSED;
	return w->state == THREAD_FINISHED || w->state == THREAD_GONE ? RECORD_THREAD_ENDED
								      : RECORD_THREAD_RUNS;
}

static void add_tasks(struct sim *s)
{
	for (size_t i = 0; i < s->b.threads.count; i++) {
		const struct wire_thread *w = &s->b.threads.items[i];
		struct trace_task t = {.entry = xstrdup(i ? name_of(s, w->start) : "main")};
		bool waits = w->state == THREAD_BLOCKED;

		t.row.state = task_state(w);
		t.row.creator = i ? w->parent : RECORD_NO_THREAD;
		t.row.index = i ? w->child_index & ~WIRE_INNER_CHILD : 0;
		t.row.os_tid = (int32_t)i;
		t.row.entry = w->start;
		t.row.waits_on = waits ? w->pending_addr : 0;
		t.row.waits_at = waits ? trace_stamp_of(w->pending_kind, false) : 0;
		vec_push(&s->r->tasks, t);
	}
}

static void add_place(struct sim *s)
{
	const struct trace_site *site = trace_sites_find(&s->b.sites, s->b.outcome.failure.site);

	s->r->place.function = xstrdup(site ? site->func : "");
	s->r->place.file = xstrdup(site ? site->file : "");
	s->r->place.line = site ? site->line : 0;
	s->r->place.column = site ? site->column : 0;
}

/* A machine has fewer names for failures: misuse of the heap would abort or fault. */
static void add_failure(struct sim *s)
{
	const struct wire_failure *w = &s->b.outcome.failure;
	struct record_failure *f = &s->r->failure;

	f->thread = w->tid < s->r->tasks.count ? w->tid : RECORD_NO_THREAD;
	f->address = w->addr;
	f->depth = w->stack_depth < RECORD_MAX_STACK ? w->stack_depth : RECORD_MAX_STACK;
	memcpy(f->stack, w->stack, f->depth * sizeof(f->stack[0]));
	f->pc = f->depth ? f->stack[0] : 0;
	strncpy(f->text, w->text, sizeof(f->text) - 1);
	f->signal = SIGABRT;
	switch (w->kind) {
	case FAILURE_NONE:
		f->kind = RECORD_FAIL_NONE;
		f->signal = 0;
		f->thread = RECORD_NO_THREAD;
		break;
	case FAILURE_ASSERT:
		f->kind = RECORD_FAIL_ASSERT;
		break;
	case FAILURE_DEADLOCK:
	case FAILURE_LIVELOCK:
		f->kind = RECORD_FAIL_DEADLOCK;
		break;
	case FAILURE_SIGNAL:
		f->kind = RECORD_FAIL_SIGNAL;
		f->signal = (int32_t)w->value;
		break;
	case FAILURE_USE_AFTER_FREE:
	case FAILURE_HEAP_RANGE:
		f->kind = RECORD_FAIL_SIGNAL;
		f->signal = SIGSEGV;
		break;
	default:
		f->kind = RECORD_FAIL_ABORT;
		break;
	}
	s->r->status = f->kind ? 128 + f->signal : (int32_t)(s->b.counters.exit_status & 255);
}

/* ---- the run ---- */

static int run(struct sim *s, struct err *e)
{
	struct run_guest_opts opts = {.program = s->o->program,
				      .in_fd = -1,
				      .hang_ns = UINT64_C(60000000000),
				      .sizes = RUN_CTL_SIZES_DEFAULT};
	struct wire_job job = {.engine = ENGINE_FORK,
			       .strategy = STRATEGY_CORES,
			       .model = s->o->model,
			       .seed = s->o->seed,
			       .runs = 1,
			       .max_steps = MAX_STEPS,
			       .bound = s->o->cores,
			       .flags = JOB_ONCE | JOB_EVENTS | JOB_MARKERS | JOB_PASS_OUTPUT};
	struct run_result result = RUN_RESULT_INIT;
	struct run_keep what = {.program = s->o->program,
				.tool_version = s->o->tool_version,
				.job = &job,
				.result = &result};
	struct run_guest *guest = NULL;
	int rc = run_guest_new(&opts, &guest, e);

	if (!rc)
		rc = run_guest_job(guest, &job, NULL, &result, e);
	if (!rc && result.verdict != RUN_CLEAN && result.verdict != RUN_FAILURE)
		rc = err_set(e, ERR_GUEST, "the run on simulated cores gave no answer: %s",
			     result.reason);
	if (!rc && result.wire.event_lost)
		rc = err_set(e, ERR_LIMIT, "the run has more events than fit");
	if (!rc)
		rc = run_keep(&s->b, guest, &what, e);
	run_result_free(&result);
	run_guest_free(guest);
	return rc;
}

int record_sim(const struct record_sim *o, struct trace_recording *r, struct err *e)
{
	struct sim s = {.o = o, .r = r};
	int rc = run_points_read(&s.p, o->program->path, e);

	if (!rc)
		rc = run(&s, e);
	if (!rc) {
		r->backend = RECORD_SIM;
		r->cores = o->cores;
		r->flags = RECORD_CHECK_FLAVOR;
		add_tasks(&s);
		add_events(&s);
		add_failure(&s);
		add_place(&s);
		/* The recording has them from now on. */
		for (size_t i = 0; i < s.p.marks.count; i++)
			vec_push(&r->marks, s.p.marks.items[i]);
		vec_clear(&s.p.marks);
		r->meta = s.b.meta;
		memset(&s.b.meta, 0, sizeof(s.b.meta));
		r->symbols = s.b.symbols;
		memset(&s.b.symbols, 0, sizeof(s.b.symbols));
	}
	run_points_fini(&s.p);
	trace_bundle_fini(&s.b);
	return rc;
}
