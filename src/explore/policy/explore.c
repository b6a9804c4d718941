#include "explore/policy/explore.h"

#include <stdlib.h>
#include <string.h>

#include "base/limit.h"
#include "explore/policy/confirm.h"
#include "explore/live/model_exec.h"
#include "explore/learn/choose.h"
#include "explore/learn/seen.h"

#define WARM_UP_RUNS 8

struct exploration {
	const struct check_opts *o;
	struct check_result *out;
	struct check_source source;
	struct check_confirm confirm;
	struct model_exec exec;
	struct explore_stats stats;
	struct product_stats counts;
	struct seen states;
	uint64_t begin_ns;
	uint32_t first_site; /* of the executable */
	enum limit_reason over;
	bool ended; /* early, by a failure or the caller */
	struct err *e;
};

static void fill_stats(struct exploration *x)
{
	struct check_stats *to = &x->out->stats;

	to->explore = x->stats;
	to->product = x->counts;
	to->product.limited = x->stats.limited;
	to->product.unknown = x->exec.unknown;
	to->product.assumed = x->stats.assumed;
	to->product.bytes = x->stats.bytes;
	to->product.questions = x->stats.questions;
	to->executions = x->stats.executions;
	to->diverged = x->stats.diverged;
	check_count_source(to, &x->source, x->begin_ns);
}

/* ---- after each execution ---- */

static int report(struct exploration *x, enum product_event event)
{
	struct model_exec *m = &x->exec;
	struct product_finding f = {.event = event,
				    .thread = LEARN_NONE,
				    .path = m->path.items,
				    .count = m->path.count,
				    .machine = &m->m,
				    .config = m->c};

	x->counts.deadlocks += event == PRODUCT_DEADLOCK;
	x->counts.failures += event != PRODUCT_DEADLOCK;
	if (event != PRODUCT_DEADLOCK) {
		f.thread = m->end_thread;
		f.step = machine_step(&m->m, m->c, m->end_thread);
	}
	return check_found(&x->confirm, &f, x->e);
}

static int look_for_failure(struct exploration *x, const struct explore_run *run)
{
	if (run->outcome == EXPLORE_STUCK)
		return report(x, PRODUCT_DEADLOCK);
	if (run->outcome != EXPLORE_FAILED)
		return 0;
	return report(x, x->exec.end == MACHINE_MISUSE ? PRODUCT_MISUSE : PRODUCT_FAILURE);
}

static bool is_over(struct exploration *x)
{
	x->over = limit_reached(x->o->limit);
	if (x->over != LIMIT_NONE || !x->o->progress)
		return x->over != LIMIT_NONE;
	fill_stats(x);
	return x->o->progress(x->o->arg, &x->out->stats) != 0;
}

static int ran(void *arg, const struct explore_run *run)
{
	struct exploration *x = arg;
	uint64_t state[2] = {machine_state_hash(&x->exec.m, x->exec.c), 1};

	if (run->outcome != EXPLORE_ASSUMED && run->outcome != EXPLORE_LIMITED &&
	    seen_add(&x->states, state))
		x->counts.states++;
	x->ended |= look_for_failure(x, run) || is_over(x);
	return x->ended;
}

/* ---- the exploration ---- */

/*
 * Number of the executable's first site; what is known of dependences counts from there.  When it
 * is not to be found nothing is known.
 */
static uint32_t find_first_site(const struct exploration *x)
{
	const struct run_guest_opts *guest = x->o->guest_opts;
	char *path = guest ? realpath(guest->program->path, NULL) : NULL;
	uint32_t first = UINT32_MAX;

	for (size_t i = 0; path && i < x->source.result.modules.count; i++)
		if (!strcmp(x->source.result.modules.items[i].path, path))
			first = x->source.result.modules.items[i].first_site;
	free(path);
	return first;
}

static bool depends(void *arg, uint32_t read_site, uint32_t event_site)
{
	struct exploration *x = arg;

	if (read_site < x->first_site || event_site < x->first_site)
		return true;
	return x->o->depends(x->o->depends_arg, read_site - x->first_site,
			     event_site - x->first_site);
}

static int explore_until_done(struct exploration *x, enum explore_algorithm algorithm)
{
	struct explore_opts eo = {.algorithm = algorithm,
				  .limit = x->o->limit,
				  .max_executions = x->o->max_executions,
				  .ran = ran,
				  .arg = x,
				  .static_deps = x->o->static_deps,
				  .depends = depends,
				  .depends_arg = x,
				  .measure = x->o->static_deps != EXPLORE_STATIC_OFF};
	int rc = check_source_renew(&x->source, x->e);

	while (rc == 0) {
		x->counts = (struct product_stats){.passes = x->counts.passes + 1};
		seen_clear(&x->states);
		x->exec.refused = x->exec.misfits = x->exec.unknown = x->exec.woken_first = 0;
		rc = explore(&x->exec.base, &eo, &x->stats, x->e);
		if (rc == MODEL_AGAIN) {
			rc = 0;
		} else if (rc == PRODUCT_AGAIN) {
			model_exec_renew(&x->exec);
			rc = check_source_renew(&x->source, x->e);
		} else {
			break;
		}
	}
	return rc;
}

/* ---- deadlocks ---- */

/* Nobody can do anything: not only some, who wait for each other. */
static bool is_end(const struct product_finding *f)
{
	struct choose_actions actions = VEC_INIT;
	bool end;

	choose_all(f->machine, f->config, &actions);
	end = actions.count == 0;
	vec_free(&actions);
	return end;
}

static int found_deadlock(void *arg, const struct product_finding *f)
{
	struct exploration *x = arg;

	uint64_t state[2] = {machine_state_hash(f->machine, f->config), 1};

	if (f->event != PRODUCT_DEADLOCK)
		return 0;
	x->counts.deadlocks++;
	if (is_end(f))
		x->counts.states += seen_add(&x->states, state);
	x->ended |= check_found(&x->confirm, f, x->e) != 0;
	return x->ended;
}

static int tick(void *arg, const struct product_stats *s)
{
	struct exploration *x = arg;

	x->ended |= is_over(x);
	return x->ended;
}

/*
 * `complete' makes no execution for a deadlock when another one shows the same reads and more.
 * Where locks are nested or threads block for good, deadlocks are looked for in the product of the
 * threads, of which all is known by now.
 */
static int find_deadlocks(struct exploration *x)
{
	struct product_opts po = {.model = x->o->job.model,
				  .loop_bound = x->o->loop_bound,
				  .preemptions = -1,
				  .found = found_deadlock,
				  .tick = tick,
				  .arg = x};
	struct product_stats stats;
	int rc;

	x->counts.deadlocks = 0;
	rc = product_search(&x->source.base, &po, &stats, x->e);
	if (rc == PRODUCT_AGAIN)
		return err_set(x->e, ERR_MISMATCH,
			       "deadlocks were not looked for: more of the memory is shared than "
			       "the executions showed");
	return rc;
}

static bool finds_all(enum explore_algorithm algorithm)
{
	return algorithm == EXPLORE_COMPLETE || algorithm == EXPLORE_DFS ||
	       algorithm == EXPLORE_DPOR;
}

/* What the algorithm itself, or the words it speaks in, cannot cover. */
static void explain_gaps(struct exploration *x, enum explore_algorithm algorithm)
{
	struct check_result *out = x->out;
	const struct model_exec *m = &x->exec;

	if (x->stats.limited)
		check_say_why(out, "%lu executions were cut off by a limit",
			      (unsigned long)x->stats.limited);
	if (x->stats.unknown)
		check_say_why(out, "%lu questions were given up", (unsigned long)x->stats.unknown);
	if (m->unknown)
		check_say_why(out,
			      "in %lu case%s a thread could take a step that it did not take when the "
			      "program was run up to there",
			      (unsigned long)m->unknown, m->unknown == 1 ? "" : "s");
	if (m->places.left_out)
		check_say_why(out, "not explored: %s", m->places.left_out);
	if (m->woken_first)
		check_say_why(out, "signals woke only the first of several sleepers");
	if (m->misfits && algorithm == EXPLORE_COMPLETE)
		check_say_why(out, "%lu orders that should be possible were not",
			      (unsigned long)m->misfits);
	if (algorithm == EXPLORE_DPOR && x->source.ingest.parts)
		check_say_why(out, "this algorithm has no steps of several accesses, as those of "
				   "library functions on hidden state are");
	if (algorithm != EXPLORE_DFS && x->source.ingest.destroys)
		check_say_why(out, "this algorithm does not look for uses of objects after their "
				   "end");
	if (!finds_all(algorithm))
		check_say_why(out, "this algorithm may miss behaviours");
}

static int explain_end(struct exploration *x, int rc, enum explore_algorithm algorithm)
{
	struct check_result *out = x->out;

	out->complete = rc == 0 && !x->ended && !out->unconfirmed;
	check_say_unseen(out, x->o->engine);
	if (rc == ERR_MISMATCH || rc == ERR_UNSUPPORTED || rc == ERR_LIMIT || rc == ERR_FORMAT ||
	    rc == ERR_INTERNAL)
		check_say_why(out, "%s", x->e->text);
	else if (rc < 0)
		return rc;
	if (x->over == LIMIT_NONE)
		x->over = x->stats.unknown ? limit_reached(x->o->limit) : x->source.over;
	if (x->over != LIMIT_NONE)
		check_say_why(out, "%s", limit_text(x->over));
	else if (x->o->max_executions && x->stats.executions >= x->o->max_executions)
		check_say_why(out, "the limit of %lu executions is reached",
			      (unsigned long)x->o->max_executions);
	explain_gaps(x, algorithm);
	return 0;
}

int check_explore(const struct check_opts *o, enum explore_algorithm algorithm,
		  struct check_result *out, struct err *e)
{
	struct exploration x = {.o = o,
				.out = out,
				.confirm = {.o = o, .out = out},
				.begin_ns = limit_now(),
				.e = e};
	struct check_guests guests = {o->engine, o->guest, o->guest_opts, o->jobs ? o->jobs : 1};
	int rc;

	if (o->preemptions >= 0)
		return err_set(e, ERR_USAGE, "%s knows no bound on preemptions",
			       explore_algorithm_name(algorithm));
	rc = check_source_init(&x.source, &guests, &o->job, e);
	x.source.limit = x.source.ingest.limit = o->limit;
	x.source.stop_early = !o->all;
	x.source.count_visits = o->loop_bound != 0;
	model_exec_init(&x.exec, &x.source.base, o->job.model, o->loop_bound);
	if (rc == 0)
		rc = check_source_warm_up(&x.source, WARM_UP_RUNS, e);
	x.first_site = find_first_site(&x);
	if (rc == 0)
		rc = explore_until_done(&x, algorithm);
	if (rc == 0 && algorithm == EXPLORE_COMPLETE && !x.ended &&
	    (x.exec.nested || x.counts.deadlocks))
		rc = find_deadlocks(&x);
	fill_stats(&x);
	rc = explain_end(&x, rc, algorithm);
	if (rc == 0)
		rc = check_confirm_failed(&x.confirm, &x.source, e);
	if (rc == 0)
		check_look_for_substance(out);
	out->input = x.source.ingest.input;
	out->stats.total_ns = limit_now() - x.begin_ns;
	model_exec_fini(&x.exec);
	check_source_fini(&x.source);
	check_confirm_fini(&x.confirm);
	seen_fini(&x.states);
	return rc;
}
