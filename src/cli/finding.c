#include "cli/finding.h"

#include <stdlib.h>

#include "cli/tell.h"
#include "cli/version.h"
#include "run/guest/keep.h"
#include "run/confirm/refine.h"

/* Of many failures, the first ones are told. */
#define MAX_TOLD 3

void cli_finding_advise(struct cli_exec *x, const struct run_again *again,
			const struct run_result *r, struct model_weak *out)
{
	x->advisor.engine = &x->engine;
	x->advisor.guest = &x->guest;
	x->advisor.program = x->program.path;
	x->advisor.job = x->job;
	x->advisor.limit = &x->limit;
	check_advise(&x->advisor, again, r, out);
}

static int keep(const struct cli_finding *c, const struct run_finding *f,
		const struct run_result *r, struct cli_kept *out, struct err *e)
{
	struct run_again again = {&c->exec->engine, c->guest, f->job, c->same, c->arg};
	struct run_keep what = {&c->exec->program, HEDDLE_VERSION, &f->job, r, c->inputs};
	int rc = run_keep(&out->bundle, c->guest, &what, e);

	if (rc != 0)
		return rc;
	if (c->note)
		vec_push(&out->bundle.notes, xstrdup(c->note));
	rc = cli_out_write(c->out, &out->bundle, &out->path, e);
	/* A schedule nobody simplified has late stores that do not matter. */
	if (rc == 0 && c->simplify && wire_model_buffers(f->job.model))
		cli_finding_advise(c->exec, &again, r, &out->weak);
	return rc;
}

int cli_finding_keep(const struct cli_finding *c, const struct run_finding *f, struct cli_kept *out,
		     struct err *e)
{
	struct run_again again = {&c->exec->engine, c->guest, f->job, c->same, c->arg};
	struct model_schedule schedule = VEC_INIT;
	struct run_result result = RUN_RESULT_INIT;
	bool simplify = c->simplify && limit_reached(&c->exec->limit) == LIMIT_NONE;
	int rc;

	*out = (struct cli_kept){.bundle = TRACE_BUNDLE_INIT, .weak = {.found = MODEL_SC}};
	if (f->result.wire.choice_lost > 0)
		return err_set(e, ERR_MISMATCH, "its schedule is too long to be kept");
	for (size_t i = 0; i < f->result.choices.count; i++)
		vec_push(&schedule, f->result.choices.items[i]);
	rc = run_refine(&again, f->key, simplify, &schedule, &result, e);
	if (rc == 0)
		rc = keep(c, f, &result, out, e);
	run_result_free(&result);
	vec_free(&schedule);
	if (rc != 0)
		cli_kept_fini(out);
	return rc;
}

void cli_kept_fini(struct cli_kept *k)
{
	trace_bundle_fini(&k->bundle);
	free(k->path);
	k->path = NULL;
}

static void tell(const struct cli_finding *c, const struct run_finding *f,
		 const struct cli_kept *kept, struct strbuf *to)
{
	struct run_again again = {&c->exec->engine, c->guest, f->job, c->same, c->arg};

	cli_tell_story(c->exec, &again, &kept->bundle, c->inputs, to);
}

int cli_finding_add(const struct cli_finding *c, const struct run_finding *f, struct err *e)
{
	const struct wire_choice *choices = f->result.choices.items;
	struct report_finding row = {.count = f->count};
	struct strbuf story = STRBUF_INIT;
	struct cli_kept kept;
	int rc = cli_finding_keep(c, f, &kept, e);

	if (rc != 0)
		return rc;
	row.bundle = &kept.bundle;
	row.dir = kept.path;
	row.weak = &kept.weak;
	if (c->simplify && c->report->findings < MAX_TOLD)
		tell(c, f, &kept, &story);
	row.story = story.text;
	row.switches_before = run_schedule_segments(choices, f->result.choices.count) - 1;
	if (!c->side || !cli_side_failure(c->side, &row))
		report_add(c->report, &row);
	strbuf_free(&story);
	cli_kept_fini(&kept);
	return 0;
}
