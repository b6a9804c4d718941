#include "repro/follow/follow.h"

#include <inttypes.h>
#include <stdio.h>

#include "repro/follow/attempt.h"
#include "trace/elf/elf_sites.h"

#define PASSES 4 /* until it is known which thread is which */
#define MAX_INSTRUCTIONS UINT64_C(2000000000) /* of a thread */

void repro_follow_result_fini(struct repro_follow_result *r)
{
	vec_free(&r->schedule);
}

struct words {
	VEC_FIELDS(char *);
};

static struct words ended(char **items, size_t n)
{
	struct words w = {NULL, 0, 0};

	for (size_t i = 0; i < n; i++)
		vec_push(&w, items[i]);
	vec_push(&w, NULL);
	return w;
}

static int execute(struct follow_source *source, struct symex_program *p,
		   const struct repro_follow_opts *fo, bool buffered, struct symex_trace *out,
		   struct err *e)
{
	const struct trace_meta *m = &source->r->meta;
	struct words argv = ended(m->argv.items, m->argv.count);
	struct words envp = ended(m->environ.items, m->environ.count);
	struct symex_options o = {.argv = argv.items,
				  .envp = envp.items,
				  .max_instructions = MAX_INSTRUCTIONS,
				  .limit = fo->limit,
				  .buffered = buffered};
	bool again = true;
	int rc = 0;

	for (int pass = 0; rc == 0 && again && pass < PASSES; pass++) {
		o.source = follow_source_get(source);
		o.source.restart(o.source.arg);
		rc = symex_run(p, &o, out, e);
		again = rc == 0 && follow_source_learn(source, out);
		if (!again || pass + 1 == PASSES)
			break;
		/* Decisions were of threads that were taken for others. */
		symex_trace_fini(out);
		follow_decide_fini(&source->decide);
		source->decide = (struct follow_decide){.conflicts = 0};
	}
	vec_free(&argv);
	vec_free(&envp);
	return rc;
}

/* Streams that cannot be read from their beginning, one answer after the other. */
static const char *unreadable(const struct trace_recording *r)
{
	if (r->backend == RECORD_PT)
		return "paths are not followed from recordings of the backend pt";
	if (r->flags & RECORD_RING || r->loss & RECORD_LOSS_RING)
		return "the recording is a ring, and does not begin with the program";
	if (r->loss)
		return "parts of the recording were lost";
	if (r->failure.kind == RECORD_FAIL_KILLED)
		return "it was killed from outside, which no order explains";
	return NULL;
}

/* Executes and solves until all that the recording leaves open is decided. */
static int try_model(struct follow_source *source, struct symex_program *program,
		     const struct repro_follow_opts *o, struct repro_follow_result *out,
		     struct err *e)
{
	struct repro_attempt a = {.source = source, .o = o};
	enum repro_attempt_end end = REPRO_ATTEMPT_AGAIN;
	int rc = 0;

	while (rc == 0 && end == REPRO_ATTEMPT_AGAIN) {
		struct symex_trace trace = {.pool = NULL};
		uint64_t begin = limit_now();

		if (limit_reached(o->limit) != LIMIT_NONE) {
			out->answer = SOLVE_UNKNOWN;
			snprintf(out->reason, sizeof(out->reason),
				 "no answer after %" PRIu64 " rounds and %" PRIu64
				 " decisions that had to be taken back",
				 out->rounds, source->decide.conflicts);
			break;
		}
		rc = execute(source, program, o, wire_model_buffers(out->model), &trace, e);
		out->execute_ns += limit_now() - begin;
		if (rc != 0)
			break;
		end = repro_attempt(&a, &trace, out);
		symex_trace_fini(&trace);
	}
	follow_decide_fini(&source->decide);
	source->decide = (struct follow_decide){.conflicts = 0};
	return rc;
}

static int try_models(struct follow_source *source, struct symex_program *program,
		      const struct repro_follow_opts *o, struct repro_follow_result *out,
		      struct err *e)
{
	bool unknown = false;
	int rc = 0;

	for (int m = MODEL_SC; m < MODEL_COUNT && rc == 0 && out->answer != SOLVE_SAT; m++) {
		if (!o->models[m])
			continue;
		out->model = (enum wire_model)m;
		rc = try_model(source, program, o, out, e);
		unknown |= out->answer == SOLVE_UNKNOWN;
		/* What cannot be followed under one model cannot be under another. */
		if (!out->events)
			break;
	}
	/* No under one model is no answer to a question that was not answered under another. */
	if (out->answer == SOLVE_UNSAT && unknown)
		out->answer = SOLVE_UNKNOWN;
	return rc;
}

int repro_follow(const struct trace_recording *r, const struct repro_follow_opts *o,
		 struct repro_follow_result *out, struct err *e)
{
	struct symex_program *program = NULL;
	struct follow_source source = {.r = NULL};
	uint64_t begin = limit_now();
	int rc;

	*out = (struct repro_follow_result){.answer = SOLVE_UNKNOWN};
	if (unreadable(r)) {
		snprintf(out->reason, sizeof(out->reason), "%s", unreadable(r));
		return 0;
	}
	rc = symex_program_load(o->program, &program, e);
	if (rc == 0)
		rc = follow_source_init(&source, r, program, e);
	if (rc == 0)
		rc = trace_elf_sites_add(&source.sites, o->program, 0, e);
	out->execute_ns = limit_now() - begin;
	if (rc == 0)
		rc = try_models(&source, program, o, out, e);
	follow_source_fini(&source);
	symex_program_free(program);
	return rc;
}
