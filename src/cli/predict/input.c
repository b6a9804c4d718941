#include "cli/predict/input.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "cli/exec.h"
#include "cli/version.h"
#include "run/guest/keep.h"

#define MAX_STEPS 10000000
#define HANG_NS UINT64_C(10000000000)

/* A bundle that ended without an answer has no events worth looking at. */
static int keep_run(struct cli_exec *x, struct run_guest *g, const struct run_result *r,
		    struct trace_bundle *b, struct err *e)
{
	struct run_keep what = {&x->program, HEDDLE_VERSION, &x->job, r, NULL};

	if (r->verdict != RUN_CLEAN && r->verdict != RUN_FAILURE && r->verdict != RUN_LIMIT)
		return err_set(e, ERR_GUEST, "the run gave no recording: %s%s%s",
			       run_verdict_name(r->verdict), r->reason[0] ? ": " : "", r->reason);
	return run_keep(b, g, &what, e);
}

static int record(struct cli_exec *x, uint32_t flags, struct run_guest **guest,
		  struct run_result *r, struct err *e)
{
	int rc;

	run_guest_free(*guest);
	*guest = NULL;
	x->job.flags &= ~(uint32_t)JOB_MARKERS;
	x->job.flags |= JOB_ONCE | JOB_EVENTS | flags;
	x->job.engine = ENGINE_FORK;
	x->job.expected_steps = x->job.max_steps;
	rc = run_guest_new(&x->guest, guest, e);
	return rc ? rc : run_guest_job(*guest, &x->job, NULL, r, e);
}

/*
 * Runs the program once and takes the recording without writing it anywhere.  Markers are wanted
 * for call stacks; when there is no room for them, the same run is made again without.
 */
static int run_program(const struct cli_predict_input *in, char **argv,
		       struct cli_predict_source *out, struct err *e)
{
	struct cli_exec_opts o = CLI_EXEC_OPTS_INIT;
	struct run_result r = RUN_RESULT_INIT;
	struct run_guest *guest = NULL;
	struct cli_exec x;
	int rc;

	o.max_steps = MAX_STEPS;
	o.hang_ns = HANG_NS;
	o.seed = in->seed;
	o.env = in->env;
	rc = cli_exec_begin(&x, "predict", &o, argv, true, e);
	x.limit = *in->limit;
	if (rc == 0)
		rc = record(&x, JOB_MARKERS, &guest, &r, e);
	out->unmarked = rc == 0 && r.wire.event_lost > 0 && !in->must_branches;
	if (out->unmarked)
		rc = record(&x, 0, &guest, &r, e);
	if (rc == 0)
		rc = keep_run(&x, guest, &r, &out->bundle, e);
	run_result_free(&r);
	run_guest_free(guest);
	cli_exec_end(&x);
	return rc;
}

static bool is_elf(const char *path)
{
	char head[4] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool elf = fd >= 0 && read(fd, head, 4) == 4 && memcmp(head, "\177ELF", 4) == 0;

	if (fd >= 0)
		close(fd);
	return elf;
}

int cli_predict_load(const struct cli_predict_input *in, int argc, char **argv,
		     struct cli_predict_source *out, int *used, struct err *e)
{
	struct predict_bundle_opts o = {in->strict, in->branches};
	int rc = 0;

	*used = 1;
	if (fs_is_dir(argv[0])) {
		rc = trace_bundle_read(argv[0], &out->bundle, e);
	} else if (is_elf(argv[0])) {
		*used = argc;
		rc = run_program(in, argv, out, e);
		out->ran = rc == 0;
	} else {
		return predict_read_file(argv[0], in->format, in->strict, &out->t, e);
	}
	out->has_bundle = rc == 0;
	if (rc != 0)
		return rc;
	rc = predict_bundle_trace(&out->bundle, &o, &out->t, &out->origin, e);
	if (rc == 0 && out->unmarked)
		predict_trace_warn(out->t, 0,
				   "no room for markers of functions and branches: no call stacks, "
				   "and every read keeps its writer");
	return rc == 0 ? 0 : err_wrap(e, "%s", argv[0]);
}

void cli_predict_source_fini(struct cli_predict_source *s)
{
	predict_trace_free(s->t);
	if (s->has_bundle)
		trace_bundle_fini(&s->bundle);
	vec_free(&s->origin);
}
