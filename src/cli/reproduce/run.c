#include "cli/reproduce/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "explore/policy/search.h"
#include "report/words.h"

/* The first round; each further one takes GROWTH times as long. */
#define ROUND_NS UINT64_C(250000000)
#define GROWTH 3
#define STEPS_GROWTH 8
#define STRONGER_NS UINT64_C(1000000000)
#define NEAR_ROUNDS 1		       /* so many before what is only near is good enough */
#define SOLVE_NS UINT64_C(20000000000) /* beside searching */
#define PROGRESS_NS UINT64_C(200000000)

/* ---- what is shown while it lasts ---- */

static bool shows(const struct cli_reproduce *x)
{
	return !x->exec.quiet && isatty(2);
}

static void show(void *arg, const struct repro_search_stats *s)
{
	static uint64_t next;
	const struct cli_reproduce *x = arg;

	if (!shows(x) || limit_now() < next)
		return;
	next = limit_now() + PROGRESS_NS;
	fprintf(stderr, "\r\033[K%" PRIu64 " executions, %s", s->runs, report_word_model(s->model));
}

/* ---- every behaviour ---- */

/* A failure of the search that is the recorded one becomes the finding. */
static void take(struct cli_reproduce *x, struct check_result *r)
{
	for (size_t i = 0; i < r->findings.count && !x->is_found; i++) {
		struct run_finding *f = r->findings.items[i];

		if (repro_match(&x->match, &f->result) != REPRO_SAME)
			continue;
		x->found = *f;
		f->result = (struct run_result)RUN_RESULT_INIT;
		x->is_found = true;
	}
}

static int search_all(struct cli_reproduce *x, struct run_guest *guest, uint32_t model, uint64_t ns,
		      struct err *e)
{
	struct limit limit = limit_within(&x->exec.limit, ns);
	const struct limit *before = run_guest_limit(guest, &limit);
	struct check_result *r = xcalloc(1, sizeof(*r));
	struct check_opts o = {.engine = &x->exec.engine,
			       .guest = guest,
			       .job = x->exec.job,
			       .all = true,
			       .preemptions = -1,
			       .limit = &limit};
	int rc;

	o.job.model = model;
	rc = check_search(&o, r, e);
	run_guest_limit(guest, before);
	if (rc == 0) {
		x->stats.runs += r->stats.learned;
		take(x, r);
		/* What it read from outside may be different this time. */
		x->complete[model] = r->complete && !r->input;
	}
	check_result_fini(r);
	free(r);
	return rc;
}

/* ---- rounds ---- */

/* Executions ended at memory that was not the program's, where the recorded one may have gone on.
 */
static bool may_go_past(const struct cli_reproduce *x)
{
	return x->match.misused && x->recording.backend != RECORD_SIM &&
	       !(x->exec.job.flags & JOB_PAST_MISUSE);
}

/* When nothing fails like the recorded run, executions go on there, too. */
static bool go_past_misuse(struct cli_reproduce *x)
{
	if (x->is_found || !may_go_past(x))
		return false;
	x->exec.job.flags |= JOB_PAST_MISUSE;
	memset(x->complete, 0, sizeof(x->complete));
	return true;
}

/* The recorded run came to its failure; executions that are cut off before it say nothing. */
static void allow_more_steps(struct cli_reproduce *x)
{
	if (x->more_steps && x->exec.job.max_steps <= UINT64_MAX / STEPS_GROWTH)
		x->exec.job.max_steps *= STEPS_GROWTH;
}

static bool anything_left(const struct cli_reproduce *x)
{
	for (int m = MODEL_SC; m < MODEL_COUNT; m++)
		if (x->models[m] && !x->complete[m])
			return true;
	return false;
}

static bool lets_stores_pass(uint32_t model)
{
	const struct model_memory *m = model_memory_get(model);

	return m && !m->keeps_write_write;
}

/* Is there one to be tried under which they do not? */
static bool stronger_is_wanted(const struct cli_reproduce *x)
{
	for (uint32_t m = MODEL_SC; m < MODEL_COUNT; m++)
		if (x->models[m] && !lets_stores_pass(m))
			return true;
	return false;
}

/*
 * No processor that programs are recorded on lets stores pass each other, though a compiler may:
 * while executions end at misused memory that the recorded one went past, that may be all there is
 * to it.
 */
static bool comes_later(const struct cli_reproduce *x, uint32_t model)
{
	return lets_stores_pass(model) && stronger_is_wanted(x) && may_go_past(x);
}

static int draw(struct cli_reproduce *x, struct run_guest *guest, uint64_t ns, struct err *e)
{
	struct repro_search_opts o = {.engine = &x->exec.engine,
				      .guest = guest,
				      .program = x->exec.program.path,
				      .job = x->exec.job,
				      .match = &x->match,
				      .near = &x->near,
				      .near_why = &x->near_why,
				      .first_ns = ns,
				      .rounds = 1,
				      .limit = &x->exec.limit,
				      .progress = show,
				      .arg = x};
	int rc;

	for (int m = MODEL_SC; m < MODEL_COUNT; m++)
		o.models[m] = x->models[m] && !x->complete[m] && !comes_later(x, (uint32_t)m);
	o.job.seed += x->stats.runs;
	rc = repro_search(&o, &x->found, &x->stats, e);
	x->is_found = rc == 1;
	return rc < 0 ? rc : 0;
}

static bool goes_on(const struct cli_reproduce *x, int rc)
{
	return rc == 0 && !x->is_found && !x->stats.in_trouble && anything_left(x) &&
	       limit_reached(&x->exec.limit) == LIMIT_NONE;
}

/* What is left of the command's time, at most. */
static uint64_t time_left(const struct cli_reproduce *x, uint64_t most)
{
	uint64_t now = limit_now(), end = x->exec.limit.end_ns;

	if (end && end <= now)
		return 1;
	return end && end - now < most ? end - now : most;
}

static int solve(struct cli_reproduce *x, struct run_guest *guest, const char *dir, struct err *e)
{
	uint64_t most = x->method == REPRODUCE_SOLVE ? UINT64_MAX / 4 : SOLVE_NS;
	int rc = cli_reproduce_solve(x, guest, dir, time_left(x, most), e);

	if (rc == 0 && x->is_found)
		x->way = "solve";
	return rc;
}

/* A crash behind a misuse of the heap never comes: the run ends there. */
static void take_near(struct cli_reproduce *x)
{
	/* Simulated cores notice misuse where it happens, as every run here does. */
	if (x->is_found || x->near.count == 0 ||
	    (x->near_why == REPRO_NEAR_BEFORE && x->recording.backend == RECORD_SIM))
		return;
	x->found = x->near;
	x->near = (struct run_finding){.result = RUN_RESULT_INIT};
	x->is_found = true;
	x->is_near = x->near_why;
}

/*
 * No processor that programs are recorded on is as weak as PSO: a schedule of a stronger model,
 * should there be one, says more about the run.
 */
static int look_for_stronger(struct cli_reproduce *x, struct run_guest *guest, struct err *e)
{
	struct run_finding weak = x->found;
	bool wanted[MODEL_COUNT];
	int rc;

	if (!x->is_found || x->is_near || x->recording.backend == RECORD_SIM ||
	    !lets_stores_pass(weak.job.model) || !stronger_is_wanted(x))
		return 0;
	x->found = (struct run_finding){.result = RUN_RESULT_INIT};
	memcpy(wanted, x->models, sizeof(wanted));
	for (uint32_t m = MODEL_SC; m < MODEL_COUNT; m++)
		x->models[m] &= !lets_stores_pass(m);
	rc = draw(x, guest, STRONGER_NS, e);
	memcpy(x->models, wanted, sizeof(wanted));
	if (x->is_found) {
		run_result_free(&weak.result);
		return rc;
	}
	x->found = weak;
	x->is_found = true;
	return rc;
}

/* Short rounds are cheaper than executing the paths, long ones are not. */
static int take_turns(struct cli_reproduce *x, struct run_guest *guest, const char *dir,
		      struct err *e)
{
	uint64_t ns = ROUND_NS;
	int rc = 0;

	for (int round = 0; goes_on(x, rc); round++) {
		uint64_t limits = x->stats.limits;
		bool cut_off;

		rc = draw(x, guest, ns, e);
		cut_off = x->stats.limits > limits;
		if (cut_off)
			allow_more_steps(x);
		if (round == 1 && goes_on(x, rc) && x->method == REPRODUCE_AUTO)
			rc = solve(x, guest, dir, e);
		/* Runs that are too long to end are too long to look at all of them. */
		for (uint32_t m = MODEL_SC; m < MODEL_COUNT && !cut_off; m++)
			if (x->models[m] && !x->complete[m] && !comes_later(x, m) && goes_on(x, rc))
				rc = search_all(x, guest, m, 2 * ns, e);
		ns *= GROWTH;
		/* Something near may still turn out to be the failure itself. */
		if (round >= NEAR_ROUNDS || !anything_left(x))
			take_near(x);
		else if (x->near.count)
			continue;
		if (go_past_misuse(x))
			ns = ROUND_NS;
	}
	take_near(x);
	if (rc == 0)
		rc = look_for_stronger(x, guest, e);
	if (shows(x))
		fprintf(stderr, "\r\033[K");
	if (rc == 0 && x->is_found && !x->way)
		x->way = "search";
	return rc;
}

static uint64_t recorded_bits(const struct trace_recording *r)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < r->tasks.count; i++)
		sum += r->tasks.items[i].bits;
	return sum;
}

static void say_why(struct cli_reproduce *x)
{
	enum limit_reason over = limit_reached(&x->exec.limit);

	if (x->why.length)
		strbuf_add(&x->why, "; ");
	strbuf_addf(&x->why, "%" PRIu64 " executions under control", x->stats.runs);
	if (x->stats.in_trouble)
		strbuf_addf(&x->why, ", then the program could not be run any more: %s",
			    x->stats.reason);
	else if (!anything_left(x))
		strbuf_addf(&x->why,
			    ", every behaviour of the program with this input among them%s, do not "
			    "fail "
			    "like that",
			    x->match.misused ? " (each as far as memory was not misused)" : "");
	else if (over != LIMIT_NONE)
		strbuf_addf(&x->why, " did not fail like that before %s", limit_text(over));
	if (x->stats.bits)
		strbuf_addf(&x->why,
			    "; the best of them agreed with %" PRIu64 " of %" PRIu64
			    " recorded bits",
			    x->stats.bits, recorded_bits(&x->recording));
	if (x->match.others)
		strbuf_addf(&x->why, " (%" PRIu64 " failed otherwise, the last one: %s)",
			    x->match.others, x->match.last_other);
}

int cli_reproduce_run(struct cli_reproduce *x, struct run_guest *guest, const char *dir,
		      struct err *e)
{
	uint64_t begin = limit_now();
	int rc = x->method == REPRODUCE_SOLVE ? solve(x, guest, dir, e)
					      : take_turns(x, guest, dir, e);

	x->search_ns = limit_now() - begin - x->solve_ns;
	if (rc == 0 && !x->is_found && x->method != REPRODUCE_SOLVE)
		say_why(x);
	return rc;
}
