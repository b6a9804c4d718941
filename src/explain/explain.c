#include "explain/explain.h"

#include <stdio.h>

#include "explain/advice.h"
#include "explain/core.h"
#include "explain/project.h"
#include "explain/roots.h"
#include "explain/search.h"
#include "run/confirm/hasten.h"
#include "run/confirm/simplify.h"
#include "run/guest/compare.h"

#define DEFAULT_RUNS 1500
#define BRIEF_RUNS 200
#define DEFAULT_ADVICE_RUNS 400
#define SIMPLIFY_ATTEMPTS 400
#define SIMPLIFY_NS UINT64_C(2000000000)
/* Longer executions are taken as they are. */
#define SIMPLIFY_EVENTS 100000

#define TO_THE_LETTER (JOB_EVENTS | JOB_EXACT)

struct work {
	const struct explain_opts *o;
	struct explanation *out;
	struct model_schedule schedule; /* of the failing execution */
	struct explain_failing failing;
	struct explain_search search;
};

static int run_exactly(struct work *w, const struct model_schedule *s, uint32_t flags,
		       struct run_result *r, struct err *e)
{
	struct wire_job job = run_again_job(&w->o->again.job, TO_THE_LETTER | flags, s->count);

	return run_last(&w->o->again, &job, s->items, r, e);
}

/* ---- the failing side ---- */

static bool no_answer(struct work *w, const struct run_result *r)
{
	if (run_compare_outcome(w->o->bundle, r) && r->verdict == RUN_FAILURE)
		return false;
	snprintf(w->out->reason, sizeof(w->out->reason),
		 "the recorded schedule did not fail again in the same way: %s%s%.200s",
		 run_verdict_name(r->verdict), r->reason[0] ? ": " : "", r->reason);
	return true;
}

static int make_simpler(struct work *w, struct run_result *r, struct err *e)
{
	struct run_simplify_opts opts = {SIMPLIFY_ATTEMPTS, SIMPLIFY_NS};
	struct run_simplify_stats stats = {0};
	uint64_t key = run_result_key(r);
	int rc = run_simplify(&w->o->again, &opts, key, &w->schedule, &stats, e);

	if (rc == 0)
		rc = run_exactly(w, &w->schedule, 0, r, e);
	if (rc == 0 && wire_model_buffers(w->o->again.job.model) && r->verdict == RUN_FAILURE)
		rc = run_hasten(&w->o->again, key, &w->schedule, r, e);
	return rc;
}

/* *r: the failing execution with markers; *w->schedule what makes it. */
static int run_failing(struct work *w, struct run_result *r, bool *failed, struct err *e)
{
	int rc;

	for (size_t i = 0; i < w->o->bundle->schedule.count; i++)
		vec_push(&w->schedule, w->o->bundle->schedule.items[i]);
	rc = run_exactly(w, &w->schedule, 0, r, e);
	*failed = rc == 0 && !no_answer(w, r);
	if (!*failed)
		return rc;
	w->out->switches_before =
		(uint32_t)run_schedule_segments(r->choices.items, r->choices.count) - 1;
	if (r->events.count <= SIMPLIFY_EVENTS && !w->o->brief)
		rc = make_simpler(w, r, e);
	if (rc == 0)
		rc = run_exactly(w, &w->schedule, JOB_MARKERS, r, e);
	*failed = rc == 0 && !no_answer(w, r);
	if (*failed)
		w->out->switches =
			(uint32_t)run_schedule_segments(r->choices.items, r->choices.count) - 1;
	return rc;
}

static void fill_side(struct explanation_side *side, const struct explain_exec *x)
{
	side->operations = (uint32_t)x->ops.count;
	for (uint32_t i = 0; i < x->ops.count; i++)
		side->flows += explain_reads(explain_event(x, i));
	for (size_t i = 0; i < x->thread.count; i++)
		vec_push(&side->thread, x->thread.items[i]);
}

static void ask_weak(struct work *w, const struct run_result *r)
{
	w->out->asked_weak = w->o->weak && wire_model_buffers(w->o->again.job.model);
	if (w->out->asked_weak)
		w->o->weak(w->o->arg, &w->o->again, r, &w->out->weak);
}

static int prepare_failing(struct work *w, bool *go_on, struct err *e)
{
	struct run_result r = RUN_RESULT_INIT;
	struct run_keep what = w->o->keep;
	int rc = run_failing(w, &r, go_on, e);

	what.result = &r;
	if (rc == 0 && *go_on)
		rc = run_keep(&w->out->failing.bundle, w->o->again.guest, &what, e);
	if (rc == 0 && *go_on && r.wire.event_lost > 0) {
		*go_on = false;
		snprintf(w->out->reason, sizeof(w->out->reason),
			 "the execution has more events than are kept");
	}
	if (rc == 0 && *go_on)
		ask_weak(w, &r);
	w->out->failing.confirmed = rc == 0 && *go_on;
	if (w->out->failing.confirmed) {
		explain_failing_init(&w->failing, &r);
		fill_side(&w->out->failing, &w->failing.exec);
	}
	run_result_free(&r);
	return rc;
}

/* ---- the passing side ---- */

static bool same_ops(const struct explain_exec *a, const struct explain_exec *b)
{
	if (a->ops.count != b->ops.count || a->run.verdict != b->run.verdict)
		return false;
	for (uint32_t i = 0; i < a->ops.count; i++)
		if (a->ops.items[i].key != b->ops.items[i].key ||
		    a->ops.items[i].origin != b->ops.items[i].origin)
			return false;
	return true;
}

/* The passing execution again, with markers: it takes the place of what the search has. */
static int confirm_passing(struct work *w, struct err *e)
{
	struct run_result r = RUN_RESULT_INIT;
	struct run_keep what = w->o->keep;
	struct explain_exec x;
	int rc = run_exactly(w, &w->search.schedule, JOB_MARKERS, &r, e);

	what.result = &r;
	if (rc == 0)
		rc = run_keep(&w->out->passing.bundle, w->o->again.guest, &what, e);
	if (rc == 0) {
		explain_exec_init(&x, &r, &w->failing.exec);
		w->out->passing.confirmed = same_ops(&x, &w->search.best);
		if (w->out->passing.confirmed) {
			explain_exec_fini(&w->search.best);
			w->search.best = x;
			fill_side(&w->out->passing, &x);
		} else {
			explain_exec_fini(&x);
		}
	}
	run_result_free(&r);
	return rc;
}

static void say_not_found(struct work *w)
{
	const struct explain_search *s = &w->search;

	if (s->exhausted)
		snprintf(w->out->reason, sizeof(w->out->reason),
			 "no schedule passes: proved, the program has %zu executions and all of "
			 "them were run",
			 s->seen.count);
	else
		snprintf(w->out->reason, sizeof(w->out->reason),
			 "no passing schedule was found among %llu that were run%s%s%s%s%s",
			 (unsigned long long)s->runs,
			 s->cut ? ", and not all candidates were tried" : "",
			 s->not_all[0] ? "; " : "", s->not_all,
			 s->trouble[0] ? "; the last that gave no answer: " : "", s->trouble);
}

static int look_for_passing(struct work *w, struct err *e)
{
	struct explain_search *s = &w->search;
	int rc;

	s->again = w->o->again;
	s->limit = w->o->limit;
	s->max_runs = w->o->max_runs ? w->o->max_runs : w->o->brief ? BRIEF_RUNS : DEFAULT_RUNS;
	s->failing = &w->failing;
	s->sites = &w->out->failing.bundle.sites;
	s->all = w->o->all;
	s->beside = w->o->beside;
	s->brief = w->o->brief;
	rc = explain_search(s, e);
	w->out->pairs = s->pairs;
	w->out->runs = s->runs;
	w->out->cut = s->cut;
	if (rc != 0)
		return rc;
	if (!s->found) {
		explain_roots_account(s, &w->out->proof);
		say_not_found(w);
		return 0;
	}
	w->out->found = true;
	w->out->same_path = s->difference.same_path;
	w->out->clean = s->difference.clean;
	return confirm_passing(w, e);
}

static int conclude(struct work *w, struct err *e)
{
	struct explain_roots roots;
	int rc = 0;

	if (!w->out->passing.confirmed) {
		w->out->found = false;
		snprintf(w->out->reason, sizeof(w->out->reason),
			 "the passing schedule went another way when it was run again");
		explain_project_failing(&w->failing, w->out);
		return 0;
	}
	explain_roots_find(&w->search, &roots);
	w->out->proof = roots.proof;
	explain_project(&w->search, &roots, w->out);
	if (!w->o->brief)
		explain_core_fill(&w->search, w->out);
	if (!w->o->brief)
		rc = explain_advise(&w->search,
				    w->o->advice_runs ? w->o->advice_runs : DEFAULT_ADVICE_RUNS,
				    w->out, e);
	explain_roots_fini(&roots);
	return rc;
}

int explain(const struct explain_opts *o, struct explanation *out, struct err *e)
{
	struct work w = {.o = o, .out = out};
	bool go_on = false;
	int rc = prepare_failing(&w, &go_on, e);

	if (rc == 0 && go_on)
		rc = look_for_passing(&w, e);
	if (rc == 0 && go_on && out->found)
		rc = conclude(&w, e);
	else if (rc == 0 && go_on)
		explain_project_failing(&w.failing, out);
	explain_search_fini(&w.search);
	explain_failing_fini(&w.failing);
	vec_free(&w.schedule);
	return rc;
}
