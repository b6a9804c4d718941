#include "cli/finding.h"

#include <stdlib.h>

#include "base/log.h"
#include "cli/version.h"
#include "cli/weak.h"
#include "run/hasten.h"
#include "run/keep.h"
#include "run/simplify.h"

/* Confirms s->items; a simpler schedule that fails in the same way takes their place. */
static int simplify(const struct run_again *again, uint64_t key, struct run_schedule *s,
		    struct run_result *r, struct err *e)
{
	static const struct run_simplify_opts opts = RUN_SIMPLIFY_DEFAULT;
	struct run_schedule simple = VEC_INIT;
	struct run_simplify_stats stats;
	int rc;

	for (size_t i = 0; i < s->count; i++)
		vec_push(&simple, s->items[i]);
	rc = run_simplify(again, &opts, key, &simple, &stats, e);
	if (rc == 0)
		rc = run_confirm(again, simple.items, simple.count, key, r, e);
	log_info(LOG_CLI, "simplified %llu to %llu segments in %llu attempts: %d",
		 (unsigned long long)stats.segments_before,
		 (unsigned long long)stats.segments_after, (unsigned long long)stats.attempts, rc);
	if (rc == 0) {
		vec_free(s);
		*s = simple;
		return 0;
	}
	vec_free(&simple);
	/* The original is known to fail; the block must hold it again. */
	return run_confirm(again, s->items, s->count, key, r, e);
}

static int keep_and_add(const struct cli_finding *c, const struct run_finding *f,
			const struct run_result *r, struct err *e)
{
	struct run_again again = {&c->exec->engine, c->guest, f->job};
	struct model_weak weak = {.found = MODEL_SC};
	struct trace_bundle bundle = TRACE_BUNDLE_INIT;
	struct run_keep keep = {&c->exec->program, HEDDLE_VERSION, &f->job, r};
	struct report_finding row = {.bundle = &bundle, .count = f->count};
	const struct wire_choice *choices = f->result.choices.items;
	char *path = NULL;
	int rc = run_keep(&bundle, c->guest, &keep, e);

	if (rc != 0)
		return rc;
	rc = cli_out_write(c->out, &bundle, &path, e);
	/* A schedule nobody simplified has late stores that do not matter. */
	if (rc == 0 && c->simplify && f->job.model != MODEL_SC)
		cli_weak_advise(c->exec, &again, r, &weak);
	if (rc == 0) {
		row.dir = path;
		row.weak = &weak;
		row.switches_before = run_schedule_segments(choices, f->result.choices.count) - 1;
		report_add(c->report, &row);
	}
	free(path);
	trace_bundle_fini(&bundle);
	return rc;
}

int cli_finding_add(const struct cli_finding *c, const struct run_finding *f, struct err *e)
{
	struct run_again again = {&c->exec->engine, c->guest, f->job};
	struct run_schedule schedule = VEC_INIT;
	struct run_result result = RUN_RESULT_INIT;
	int rc;

	if (f->result.wire.choice_lost > 0)
		return err_set(e, ERR_MISMATCH, "its schedule is too long to be kept");
	for (size_t i = 0; i < f->result.choices.count; i++)
		vec_push(&schedule, f->result.choices.items[i]);
	rc = run_confirm(&again, schedule.items, schedule.count, f->key, &result, e);
	if (rc == 0 && c->simplify)
		rc = simplify(&again, f->key, &schedule, &result, e);
	if (rc == 0 && c->simplify)
		rc = run_hasten(&again, f->key, &schedule, &result, e);
	if (rc == 0)
		rc = keep_and_add(c, f, &result, e);
	run_result_free(&result);
	vec_free(&schedule);
	return rc;
}
