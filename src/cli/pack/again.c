#include "cli/pack/again.h"

#include <inttypes.h>

#include "cli/exec.h"
#include "cli/version.h"
#include "run/confirm/confirm.h"
#include "run/guest/inputs.h"
#include "run/guest/keep.h"

#define HANG_NS UINT64_C(10000000000)

struct again {
	struct cli_exec exec;
	struct trace_bundle placed, fresh;
	struct run_inputs inputs;
	struct wire_job recorded;
	struct run_result result;
};

static int prepare(struct again *a, struct err *e)
{
	const struct trace_meta *m = &a->placed.meta;
	struct cli_exec_opts o = CLI_EXEC_OPTS_INIT;
	int rc;

	o.hang_ns = HANG_NS;
	o.quiet = true;
	o.stdin_path = run_keep_input(&a->placed);
	rc = cli_exec_prepare(&a->exec, "pack", &o, true, e);
	if (rc != 0)
		return rc;
	run_program_set(&a->exec.program, m->program, m->cwd);
	run_program_set_argv(&a->exec.program, m->argv.items, m->argv.count);
	run_program_set_envp(&a->exec.program, m->environ.items, m->environ.count);
	if (run_keep_inputs(&a->placed)) {
		rc = run_inputs_read(&a->inputs, run_keep_inputs(&a->placed), e);
		a->exec.guest.inputs = &a->inputs;
	}
	a->recorded = (struct wire_job){.strategy = m->strategy,
					.model = m->model,
					.flags = m->flags,
					.seed = m->seed,
					.max_steps = m->max_steps,
					.expected_steps = m->expected_steps,
					.bound = m->bound};
	return rc == 0 ? run_program_check(&a->exec.program, e) : rc;
}

static int run_once(struct again *a, struct err *e)
{
	uint32_t flags = JOB_EVENTS | JOB_EXACT | (a->placed.meta.flags & JOB_MARKERS);
	struct wire_job job = run_again_job(&a->recorded, flags, a->placed.schedule.count);
	struct run_keep keep = {&a->exec.program, HEDDLE_VERSION, &a->recorded, &a->result, NULL};
	struct run_guest *guest = NULL;
	int rc = run_guest_new(&a->exec.guest, &guest, e);

	if (a->placed.outcome.outcome == OUTCOME_LIMIT)
		job.flags &= ~(uint32_t)JOB_EXACT;
	if (rc == 0)
		rc = run_engine_job(&a->exec.engine, guest, &job, a->placed.schedule.items,
				    &a->result, e);
	if (rc == 0 && a->result.verdict != RUN_CLEAN && a->result.verdict != RUN_FAILURE &&
	    a->result.verdict != RUN_LIMIT)
		rc = err_set(e, ERR_MISMATCH, "%s%s%s", run_verdict_name(a->result.verdict),
			     a->result.reason[0] ? ": " : "", a->result.reason);
	if (rc == 0)
		rc = run_keep(&a->fresh, guest, &keep, e);
	run_guest_free(guest);
	return rc;
}

/* The same execution, wherever things lie in memory. */
static int compare(const struct trace_bundle *a, const struct trace_bundle *b, struct err *e)
{
	const struct wire_failure *f = &a->outcome.failure, *g = &b->outcome.failure;
	size_t i = 0;

	while (i < a->events.count && i < b->events.count) {
		const struct wire_event *x = &a->events.items[i], *y = &b->events.items[i];

		if (x->kind != y->kind || x->tid != y->tid || x->site != y->site ||
		    x->size != y->size)
			break;
		i++;
	}
	if (i < a->events.count || i < b->events.count)
		return err_set(e, ERR_MISMATCH, "event %zu is another one", i);
	if (a->outcome.outcome != b->outcome.outcome || f->kind != g->kind || f->tid != g->tid ||
	    f->site != g->site)
		return err_set(e, ERR_MISMATCH, "it ends in another way");
	return 0;
}

static int same_modules(const struct trace_meta *a, const struct trace_meta *b, struct err *e)
{
	bool same = a->modules.count == b->modules.count;

	for (size_t i = 0; same && i < a->modules.count; i++)
		same = a->modules.items[i].first_site == b->modules.items[i].first_site &&
		       a->modules.items[i].sites_count == b->modules.items[i].sites_count;
	return same ? 0 : err_set(e, ERR_MISMATCH, "it loads other modules");
}

#define swap(a, b)                                                                                 \
	do {                                                                                       \
		__typeof__(a) swapped = (a);                                                       \
		(a) = (b);                                                                         \
		(b) = swapped;                                                                     \
	} while (0)

/* What happened is the fresh one's; who it was, and under which names, is the bundle's. */
static void take_over(struct trace_bundle *b, struct trace_bundle *fresh)
{
	for (size_t i = 0; i < b->meta.modules.count; i++)
		b->meta.modules.items[i].load_bias = fresh->meta.modules.items[i].load_bias;
	swap(b->meta, fresh->meta);
	swap(b->notes, fresh->notes);
	swap(b->output, fresh->output);
	swap(*b, *fresh);
}

int pack_run_again(const char *here, struct trace_bundle *b, struct err *e)
{
	struct again a = {.exec = {.in_fd = -1}, .result = RUN_RESULT_INIT};
	int rc = trace_bundle_read(here, &a.placed, e);

	if (rc == 0)
		rc = prepare(&a, e);
	if (rc == 0)
		rc = run_once(&a, e);
	if (rc == 0)
		rc = compare(b, &a.fresh, e);
	if (rc == 0)
		rc = same_modules(&b->meta, &a.fresh.meta, e);
	if (rc == 0)
		take_over(b, &a.fresh);
	run_result_free(&a.result);
	vec_free(&a.inputs);
	trace_bundle_fini(&a.placed);
	trace_bundle_fini(&a.fresh);
	cli_exec_end(&a.exec);
	return rc;
}
