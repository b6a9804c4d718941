/* Candidates confirmed: executions are looked at, and those that show one are kept. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "cli/analyze/run.h"
#include "cli/finding.h"
#include "cli/out.h"
#include "cli/version.h"
#include "explore/policy/races.h"
#include "explore/policy/search.h"
#include "model/calls.h"
#include "run/guest/guest.h"

struct confirmer {
	const struct cli_analyze_opts *o;
	struct analysis *a;
	struct cli_exec exec;
	struct cli_out out;
	struct run_guest *guest;
	struct cli_analyze_confirmed *result;
};

/* Names from debug information here and there differ in their directories at most. */
static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool same_file(const char *a, const char *b)
{
	return a && b && !strcmp(base_name(a), base_name(b));
}

static bool is_at(const struct finding_event *e, const struct trace_site *s)
{
	return s && e->at.line == s->line && same_file(e->at.file, s->file);
}

/* The candidate that two places are of; NULL: of none. */
static struct analysis_row *find(struct analysis *a, const struct trace_site *x,
				 const struct trace_site *y)
{
	for (size_t i = 0; i < a->findings.count; i++) {
		const struct finding *f = &a->findings.items[i];

		if (f->events.count != 2 || !strcmp(f->rule, "deadlock"))
			continue;
		if ((is_at(&f->events.items[0], x) && is_at(&f->events.items[1], y)) ||
		    (is_at(&f->events.items[0], y) && is_at(&f->events.items[1], x)))
			return &a->rows.items[i];
	}
	return NULL;
}

static void confirmed(struct confirmer *c, struct analysis_row *row, const char *bundle)
{
	struct finding *f = &c->a->findings.items[row - c->a->rows.items];

	if (row->bundle)
		return;
	row->bundle = xstrdup(bundle);
	f->bundle = xstrdup(bundle);
	f->level = FINDING_ERROR;
	c->result->findings++;
}

static int keep(void *arg, const struct trace_bundle *b, char **dir, struct err *e)
{
	struct confirmer *c = arg;

	return cli_out_write(&c->out, b, dir, e);
}

static int take_races(struct confirmer *c, const struct check_result *r, struct err *e)
{
	struct check_recorder with = {
		.again = {.engine = &c->exec.engine, .guest = c->guest, .job = c->exec.job},
		.program = &c->exec.program,
		.version = HEDDLE_VERSION,
		.limit = &c->exec.limit,
		.keep = keep,
		.arg = c,
	};
	struct check_race_log log = {.found = 0};
	int rc = check_races_record(&log, &with, r->races.items, r->races.count, e);

	for (size_t i = 0; i < log.items.count && rc == 0; i++) {
		const struct check_recorded_race *x = &log.items.items[i];
		const struct trace_sites *sites = &x->bundle->sites;
		const struct wire_event *events = x->bundle->events.items;
		struct analysis_row *row =
			find(c->a, trace_sites_find(sites, events[x->events[0]].site),
			     trace_sites_find(sites, events[x->events[1]].site));

		if (row && x->dir)
			confirmed(c, row, x->dir);
		else
			c->result->others++;
	}
	check_races_fini(&log);
	return rc;
}

/* A deadlock in which a thread stands where the candidate takes a lock. */
static struct analysis_row *find_deadlock(struct analysis *a, const struct trace_bundle *b)
{
	for (size_t i = 0; i < a->findings.count; i++) {
		const struct finding *f = &a->findings.items[i];

		if (strcmp(f->rule, "deadlock") != 0)
			continue;
		for (size_t k = 0; k < f->events.count; k++)
			if (is_at(&f->events.items[k],
				  trace_sites_find(&b->sites, b->outcome.failure.site)))
				return &a->rows.items[i];
	}
	return NULL;
}

static void take_failure(struct confirmer *c, const struct run_finding *f)
{
	struct cli_finding ctx = {
		.exec = &c->exec, .out = &c->out, .guest = c->guest, .simplify = true};
	struct cli_kept kept;
	struct analysis_row *row = NULL;
	struct err why = ERR_INIT;

	ctx.note = "a failure found while candidates of heddle analyze were run";
	if (cli_finding_keep(&ctx, f, &kept, &why) != 0)
		return;
	if (kept.bundle.outcome.failure.kind == FAILURE_DEADLOCK)
		row = find_deadlock(c->a, &kept.bundle);
	if (row)
		confirmed(c, row, kept.path);
	else
		c->result->others++;
	cli_kept_fini(&kept);
}

static int look(struct confirmer *c, struct err *e)
{
	struct check_result *r = xcalloc(1, sizeof(*r));
	struct check_opts o = {.engine = &c->exec.engine,
			       .guest = c->guest,
			       .job = c->exec.job,
			       .all = true,
			       .races = true,
			       .preemptions = -1,
			       .limit = &c->exec.limit};
	int rc = check_search(&o, r, e);

	if (rc == 0)
		rc = take_races(c, r, e);
	for (size_t i = 0; i < r->findings.count && rc == 0; i++)
		take_failure(c, r->findings.items[i]);
	c->result->complete = rc == 0 && r->complete && !r->input && !r->unconfirmed;
	snprintf(c->result->reason, sizeof(c->result->reason), "%s",
		 r->complete && r->input ? "the program reads from outside" : r->reason);
	check_result_fini(r);
	free(r);
	return rc;
}

int cli_analyze_confirm(const struct cli_analyze_opts *o, char *const *words, struct analysis *a,
			struct cli_analyze_confirmed *out, struct err *e)
{
	struct confirmer c = {.o = o, .a = a, .result = out};
	int rc = cli_exec_begin(&c.exec, "analyze", &o->exec, words, true, e);

	if (rc != 0)
		return rc;
	rc = cli_out_init(&c.out, o->out, words[0], e);
	if (rc == 0) {
		rc = run_guest_new(&c.exec.guest, &c.guest, e);
		if (rc == 0)
			rc = look(&c, e);
		run_guest_free(c.guest);
		cli_out_fini(&c.out);
	}
	cli_exec_end(&c.exec);
	return rc;
}
