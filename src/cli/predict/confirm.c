#include "cli/predict/confirm.h"

#include <inttypes.h>
#include <string.h>

#include "base/fs.h"
#include "base/mem.h"
#include "cli/exec.h"
#include "cli/version.h"
#include "model/event.h"
#include "model/schedule.h"
#include "predict/find/explain.h"
#include "run/confirm/confirm.h"
#include "run/guest/keep.h"

#define HANG_NS UINT64_C(10000000000)

struct confirmer {
	const struct cli_predict_source *s;
	struct cli_exec exec;
	struct run_again again;
	uint32_t flags; /* of the runs: the same kinds of events as in the recording */
	VEC(struct wire_choice) choices; /* of the finding at hand */
	VEC(uint32_t) expected;		 /* events of the bundle, one per choice */
	uint32_t last;			 /* event of the bundle looked at before */
	size_t enough;			 /* so many of them reach the state asked for */
};

/*
 * Directly after the event before it, in one step.  The first thing a library function does comes
 * after a marker, which is no step and not in every recording.
 */
static bool follows(const struct wire_event *e, const struct wire_event *before)
{
	return before && before->tid == e->tid && before->tix + 1 == e->tix &&
	       before->kind != EVENT_OUTSIDE;
}

/*
 * Kind of the choice that makes the event happen, 0 when it comes with another one: what is glued
 * to another event is part of its step, the first thread is there before the first choice, the last
 * thread at a barrier goes through in the step of its arrival.  Sleeping threads go on by a
 * timeout.
 */
static uint8_t choice_of(const struct wire_event *e, const struct wire_event *before)
{
	switch (e->kind) {
	case EVENT_READ:
	case EVENT_WRITE:
	case EVENT_READ_RANGE:
	case EVENT_WRITE_RANGE:
		return e->aux & EVENT_GLUED && follows(e, before) ? 0 : CHOICE_RUN;
	case EVENT_EXIT:
		return 0;
	case EVENT_THREAD_BEGIN:
		return e->tid == 0 ? 0 : CHOICE_RUN;
	case EVENT_BARRIER_LEAVE:
		if (before && before->kind == EVENT_BARRIER_ARRIVE && before->tid == e->tid &&
		    before->addr == e->addr)
			return 0;
		return CHOICE_RUN;
	case EVENT_SLEEP:
	case EVENT_COND_TIMEOUT:
	case EVENT_LOCK_TIMEOUT:
	case EVENT_SEM_TIMEOUT:
		return CHOICE_TIMEOUT;
	case EVENT_FREE:
	case EVENT_YIELD:
	case EVENT_IO:
	case EVENT_SPIN_PARK:
	case EVENT_FAILURE:
		return CHOICE_RUN;
	default:
		return model_event_class(e->kind) == EVENT_CLASS_MARKER ? 0 : CHOICE_RUN;
	}
}

/* Is the schedule of the recording what its events say?  Then any order of events is a schedule. */
static bool events_are_steps(const struct trace_bundle *b)
{
	struct model_schedule all = {.items = NULL};
	struct err why = ERR_INIT;
	size_t at = 0;
	bool same = model_schedule_expand(&all, b->schedule.items, b->schedule.count,
					  b->events.count * 2 + 1000, &why) == 0;

	for (size_t i = 0; i < b->events.count && same; i++) {
		const struct wire_event *e = &b->events.items[i];
		uint8_t kind = choice_of(e, i > 0 ? e - 1 : NULL);

		if (kind == 0)
			continue;
		same = at < all.count && all.items[at].kind == kind && all.items[at].tid == e->tid;
		/* A deadlock is found without a step of its own. */
		if (!same && e->kind == EVENT_FAILURE)
			same = true;
		else
			at++;
	}
	same = same && at == all.count;
	vec_free(&all);
	return same;
}

static void add_step(struct confirmer *c, uint32_t event)
{
	const struct wire_event *events = c->s->bundle.events.items, *e, *before = NULL;
	uint32_t origin = c->s->origin.items[event];
	uint8_t kind;

	if (origin == PREDICT_NONE)
		return;
	e = &events[origin];
	/* Steps of several events are together in the recording, with their markers. */
	if (model_event_class(e->kind) == EVENT_CLASS_ACCESS)
		before = origin > 0 ? e - 1 : NULL;
	else if (c->last != PREDICT_NONE)
		before = &events[c->last];
	kind = choice_of(e, before);
	c->last = origin;
	if (kind == 0)
		return;
	vec_push(&c->choices, ((struct wire_choice){kind, 0, e->tid, kind == CHOICE_RUN ? 1 : 0}));
	vec_push(&c->expected, origin);
}

/* One of the events the event is one step with stands for the step of the recording. */
static void add_whole_step(struct confirmer *c, uint32_t event)
{
	const struct predict_trace *t = c->s->t;

	for (uint32_t e = predict_trace_head(t, event); e <= predict_trace_tail(t, event); e++)
		add_step(c, e);
}

static void make_schedule(struct confirmer *c, const struct predict_finding *f)
{
	struct predict_order w = {.items = NULL};

	vec_clear(&c->choices);
	vec_clear(&c->expected);
	c->last = PREDICT_NONE;
	predict_finding_witness(f, c->s->t, &w);
	for (size_t i = 0; i < w.count; i++)
		add_step(c, w.items[i]);
	vec_free(&w);
	/* Both accesses follow, to see that they were next; the first may already end the run. */
	if (f->kind == KIND_RACE)
		add_whole_step(c, f->events.items[0]);
	c->enough = c->expected.count;
	if (f->kind == KIND_RACE)
		add_whole_step(c, f->events.items[1]);
}

static bool same_event(const struct wire_event *a, const struct wire_event *b)
{
	return a->tid == b->tid && a->kind == b->kind && a->addr == b->addr && a->site == b->site;
}

/* Number of predicted events that happened as predicted. */
static size_t match_events(const struct confirmer *c, const struct run_result *r)
{
	size_t at = 0;

	for (size_t i = 0; i < r->events.count && at < c->expected.count; i++) {
		const struct wire_event *e = &r->events.items[i];

		if (choice_of(e, i > 0 ? e - 1 : NULL) == 0)
			continue;
		if (!same_event(e, &c->s->bundle.events.items[c->expected.items[at]]))
			break;
		at++;
	}
	return at;
}

static bool stuck(const struct confirmer *c, const struct run_result *r,
		  const struct predict_finding *f)
{
	for (size_t i = 0; i < f->events.count; i++) {
		uint32_t origin = c->s->origin.items[f->events.items[i]];
		const struct wire_event *e = &c->s->bundle.events.items[origin];

		if (e->tid >= r->threads.count || r->threads.items[e->tid].state != THREAD_BLOCKED)
			return false;
	}
	return true;
}

static bool judge(const struct confirmer *c, const struct run_result *r,
		  const struct predict_finding *f, struct strbuf *text)
{
	size_t done = match_events(c, r);

	if (r->wire.event_lost > 0) {
		strbuf_add(text, "there was no room for the events of the run");
		return false;
	}
	if (done < c->expected.count && !(done >= c->enough && r->verdict == RUN_FAILURE)) {
		uint32_t origin = c->expected.items[done];

		strbuf_addf(text, "diverged after %zu of %zu steps, at T%u %s", done,
			    c->expected.count, c->s->bundle.events.items[origin].tid,
			    model_event_name(c->s->bundle.events.items[origin].kind));
		if (r->reason[0] != '\0')
			strbuf_addf(text, " (%s)", r->reason);
		return false;
	}
	if (f->kind == KIND_DEADLOCK && !stuck(c, r, f)) {
		strbuf_add(text, "diverged: the threads did not stay blocked");
		return false;
	}
	strbuf_addf(text, "confirmed in %zu steps", done);
	if (r->verdict == RUN_FAILURE)
		strbuf_add(text, f->kind == KIND_DEADLOCK ? "" : "; the run then failed");
	return true;
}

/* The bundle says in a note what it is a witness of. */
static void note_finding(const struct confirmer *c, const struct predict_finding *f,
			 struct trace_bundle *b)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "witness of heddle predict, %s: ", predict_kind_text(f->kind));
	predict_explain_title(c->s->t, f, &text);
	strbuf_addf(&text, "; reached after %zu steps", c->enough);
	vec_push(&b->notes, strbuf_take(&text));
}

static int keep(const struct confirmer *c, const struct run_result *r, char *path,
		struct predict_finding *f, struct err *e)
{
	struct trace_bundle b = TRACE_BUNDLE_INIT;
	struct run_keep what = {&c->exec.program, HEDDLE_VERSION, &c->again.job, r, NULL};
	int rc = run_keep(&b, c->again.guest, &what, e);

	if (rc == 0) {
		note_finding(c, f, &b);
		rc = trace_bundle_remove(path, e);
	}
	if (rc == 0)
		rc = trace_bundle_write(path, &b, e);
	trace_bundle_fini(&b);
	if (rc == 0)
		f->bundle = xstrdup(path);
	return rc;
}

static int confirm_one(struct confirmer *c, struct predict_finding *f, const char *dir,
		       unsigned number, struct err *e)
{
	struct run_result r = RUN_RESULT_INIT;
	struct strbuf text = STRBUF_INIT;
	int rc;

	make_schedule(c, f);
	rc = run_again(&c->again, c->flags, c->choices.items, c->choices.count, &r, e);
	if (rc == 0 && r.verdict != RUN_STOPPED) {
		f->confirmed = judge(c, &r, f, &text);
		f->confirmation = strbuf_take(&text);
	}
	if (rc == 0 && f->confirmed && dir) {
		char *path = xasprintf("%s/%s-%u.heddle", dir, predict_kind_text(f->kind), number);

		rc = keep(c, &r, path, f, e);
		free(path);
	}
	run_result_free(&r);
	return rc;
}

/* Whether an event begins a step can depend on a marker before it. */
static uint32_t flags_like(const struct trace_bundle *b)
{
	for (size_t i = 0; i < b->events.count; i++) {
		uint8_t kind = b->events.items[i].kind;

		if (kind == EVENT_ENTER || kind == EVENT_BRANCH || kind == EVENT_OUTSIDE)
			return JOB_EVENTS | JOB_MARKERS;
	}
	return JOB_EVENTS;
}

static int begin(struct confirmer *c, struct err *e)
{
	const struct trace_meta *m = &c->s->bundle.meta;
	struct cli_exec_opts o = CLI_EXEC_OPTS_INIT;
	int rc = trace_meta_check_binaries(m, e);

	o.hang_ns = HANG_NS;
	o.quiet = true;
	if (rc == 0 && m->argv.count == 0)
		rc = err_set(e, ERR_FORMAT, "the bundle does not say how to start the program");
	if (rc != 0)
		return rc;
	rc = cli_exec_prepare(&c->exec, "predict", &o, true, e);
	run_program_set(&c->exec.program, m->program, m->cwd);
	run_program_set_argv(&c->exec.program, m->argv.items, m->argv.count);
	run_program_set_envp(&c->exec.program, m->environ.items, m->environ.count);
	if (rc == 0)
		rc = run_program_check(&c->exec.program, e);
	c->flags = flags_like(&c->s->bundle);
	c->again.engine = &c->exec.engine;
	c->again.job = (struct wire_job){.model = m->model,
					 .seed = m->seed,
					 .max_steps = m->max_steps,
					 .engine = ENGINE_FORK};
	if (rc == 0)
		rc = run_guest_new(&c->exec.guest, &c->again.guest, e);
	return rc;
}

int cli_predict_confirm(const struct cli_predict_source *s, const char *dir,
			const struct limit *limit, struct predict_result *r, struct err *e)
{
	struct confirmer c = {.s = s};
	unsigned number[4] = {0};
	int rc;

	if (!s->has_bundle)
		return err_set(e, ERR_USAGE, "--confirm needs a bundle or a program");
	if (!events_are_steps(&s->bundle))
		return err_set(
			e, ERR_UNSUPPORTED,
			"the recording has choices that are no events, so an order of events "
			"is no schedule");
	rc = begin(&c, e);
	if (rc == 0)
		c.exec.limit = *limit;
	if (rc == 0 && dir)
		rc = fs_make_dirs(dir, e);
	for (size_t i = 0;
	     i < r->findings.count && rc == 0 && limit_reached(limit) == LIMIT_NONE; i++) {
		struct predict_finding *f = &r->findings.items[i];

		if (f->answer == ANSWER_FEASIBLE && !f->suppressed)
			rc = confirm_one(&c, f, dir, ++number[f->kind], e);
	}
	run_guest_free(c.again.guest);
	if (c.exec.command)
		cli_exec_end(&c.exec);
	vec_free(&c.choices);
	vec_free(&c.expected);
	return rc;
}
