/* heddle record: a run in production, recorded. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/fs.h"
#include "base/proc.h"
#include "cli/commands.h"
#include "cli/exec.h"
#include "cli/exit.h"
#include "report/info/recording.h"
#include "cli/options.h"
#include "cli/out.h"
#include "cli/record/partial.h"
#include "cli/version.h"
#include "coop/orders.h"
#include "record/binary.h"
#include "record/derive.h"
#include "record/files.h"
#include "record/launch.h"
#include "record/pt.h"
#include "record/sim.h"
#include "run/guest/program.h"
#include "wire/ctl.h"

struct record_opts {
	int backend, keep, inputs, model;
	const char *out, *ring, *finish, *env, *partial;
	uint64_t hang, seed, cores;
	bool quiet, dynamic;
};

enum { KEEP_FAILURES, KEEP_ALL };

#define AT(field) offsetof(struct record_opts, field)

static const struct cli_option table[] = {
	{0, "backend", OPTION_CHOICE, AT(backend), "bits", 0, 0, "bits|paths|pt|sim",
	 "how control flow is recorded (pt: not in this version)"},
	{0, "keep", OPTION_CHOICE, AT(keep), "failures", 0, 0, "failures|all",
	 "which runs leave a recording"},
	{0, "inputs", OPTION_CHOICE, AT(inputs), "on", 0, 0, "on|off",
	 "log what comes from outside: files, sockets, time, …"},
	{'o', "output", OPTION_STRING, AT(out), CLI_OUT_DEFAULT, 0, 0, "DIR|NAME.rec",
	 "directory for the recording, or its own name"},
	{0, "hang", OPTION_DURATION, AT(hang), NULL, 0, 0, "TIME",
	 "take it for a deadlock when all threads wait for each other so long"},
	{0, "ring", OPTION_STRING, AT(ring), NULL, 0, 0, "SIZE",
	 "keep only the last SIZE bytes of each thread's way (64K, 1M, …)"},
	{0, "finish", OPTION_STRING, AT(finish), NULL, 0, 0, "DIR.live-…",
	 "make the recording that a heddle which was killed could not make; nothing is run"},
	{0, "partial", OPTION_STRING, AT(partial), NULL, 0, 0, "FILE",
	 "record only the order of accesses to the elements of this profile (heddle coop)"},
	{0, "dynamic", OPTION_FLAG, AT(dynamic), NULL, 0, 0, NULL,
	 "partial: one build for all profiles, in which the other elements are switched off"},
	{0, "cores", OPTION_UINT, AT(cores), "4", 1, 64, "N", "sim: simulated cores"},
	{0, "seed", OPTION_UINT, AT(seed), "1", 0, 0, "N", "sim: which run"},
	{0, "model", OPTION_CHOICE, AT(model), "sc", 0, 0, MODEL_MEMORY_CHOICES,
	 "sim: memory model"},
	CLI_EXEC_ENV(AT(env)),
	{'q', "quiet", OPTION_FLAG, AT(quiet), NULL, 0, 0, NULL, "do not print the path"},
	{0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL},
};

static const struct cli_options options = {
	.command = "record",
	.operands = "PROGRAM [ARGUMENT...]",
	.about = "Runs a program built with heddle cc --flavor=record natively and keeps, when it "
		 "fails, a recording of the ways its threads took, for heddle reproduce. Input, "
		 "output and exit status (128+N for signal N) are the program's own.",
	.table = table,
};

static int parse_size(const char *text, uint64_t *bytes, struct err *e)
{
	char *end;
	unsigned long long n = strtoull(text, &end, 10);
	unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;

	if (end == text || n == 0 || (shift ? end[1] : *end) || n > UINT64_MAX >> 31)
		return err_set(e, ERR_USAGE, "--ring: '%s' is not a size (64K, 1M, …)", text);
	*bytes = (uint64_t)n << shift;
	return 0;
}

struct recorder {
	struct record_opts o;
	struct run_program program;
	struct cli_out out;
	struct record_live live;
	struct record_launch launch;
	struct record_files files;
	enum record_binary_kind kind;
	struct cli_partial partial;
	char *derived; /* the program built for recording, when it was not */
};

static void fill_meta(const struct recorder *c, struct trace_meta *m)
{
	m->tool_version = xstrdup(HEDDLE_VERSION);
	m->wire_version = WIRE_VERSION;
	m->program = xstrdup(c->program.path);
	m->cwd = xstrdup(c->program.cwd);
	for (char **a = c->program.argv; *a; a++)
		vec_push(&m->argv, xstrdup(*a));
	for (char **a = c->program.envp; *a; a++)
		vec_push(&m->environ, xstrdup(*a));
}

/* What was built for recording is the same program: it is the user's that is named. */
static int be_original(const struct recorder *c, struct trace_recording *r, struct err *e)
{
	r->flags |= RECORD_CHECK_FLAVOR;
	trace_file_id_fini(&r->meta.executable);
	memset(&r->meta.executable, 0, sizeof(r->meta.executable));
	if (r->meta.modules.count) {
		trace_file_id_fini(&r->meta.modules.items[0].file);
		memset(&r->meta.modules.items[0].file, 0, sizeof(struct trace_file_id));
		if (trace_file_id_get(&r->meta.modules.items[0].file, c->program.path, e))
			return e->code;
	}
	return trace_file_id_get(&r->meta.executable, c->program.path, e);
}

static int write_recording(void *arg, const char *name, struct err *e)
{
	return trace_recording_write(name, arg, e);
}

static void say(const struct recorder *c, const struct trace_recording *r, const char *path)
{
	struct strbuf text = STRBUF_INIT;

	report_info_recording_failure(r, &text);
	if (!c->o.quiet && r->failure.kind)
		fprintf(stderr, "heddle record: the program failed: %s\n", text.text);
	if (!c->o.quiet)
		fprintf(stderr, "heddle record: %s: %s\n", c->o.partial ? "log" : "recording",
			path);
	if (r->loss && !c->o.quiet)
		fprintf(stderr, "heddle record: the recording is not complete, see heddle info\n");
	strbuf_free(&text);
}

/* Makes the recording of the files that the run left. */
static int keep(struct recorder *c, bool *kept, struct err *e)
{
	struct trace_recording r = TRACE_RECORDING_INIT;
	bool failed = record_launch_failed(c->launch.status, &c->live.ctl->failure);
	char *path = NULL;
	int rc;

	*kept = failed || c->o.keep == KEEP_ALL;
	if (!*kept)
		return 0;
	rc = record_live_read(&c->live, &r, e);
	if (!rc)
		rc = record_binary_describe(&r, c->live.ctl, c->launch.executable, e);
	if (!rc && c->o.partial)
		rc = cli_partial_keep(&c->partial, &c->live, &r, &c->out, &path, e);
	else if (!rc && c->derived)
		rc = be_original(c, &r, e);
	if (!rc && !c->o.partial) {
		/* Of a run whose heddle is gone nobody knows what the files were. */
		if (!c->o.finish && c->o.inputs == 0)
			record_files_keep(&c->files, &r);
		fill_meta(c, &r.meta);
		r.status = proc_exit_code(c->launch.status);
		rc = cli_out_put(&c->out, write_recording, &r, &path, e);
	}
	if (!rc)
		say(c, &r, path);
	free(path);
	trace_recording_fini(&r);
	return rc;
}

/* Recorded or not, the run is there; what is kept of it is decided as for any other. */
static int simulate(struct recorder *c, int *status, struct err *e)
{
	struct trace_recording r = TRACE_RECORDING_INIT;
	struct run_program program = c->program;
	struct record_sim o = {.program = &program,
			       .tool_version = HEDDLE_VERSION,
			       .cores = (uint32_t)c->o.cores,
			       .model = (uint32_t)c->o.model,
			       .seed = c->o.seed};
	char *path = NULL;
	int rc;

	if (c->derived)
		program.path = c->derived;
	record_files_begin(&c->files);
	rc = record_sim(&o, &r, e);
	if (!rc && c->o.inputs == 0)
		record_files_keep(&c->files, &r);
	*status = r.status;
	if (!rc && (r.failure.kind || c->o.keep == KEEP_ALL)) {
		rc = cli_out_put(&c->out, write_recording, &r, &path, e);
		if (!rc)
			say(c, &r, path);
	}
	free(path);
	trace_recording_fini(&r);
	return rc;
}

static int run(struct recorder *c, struct err *e)
{
	struct record_live_opts live = {.backend = (uint32_t)c->o.backend,
					.flags = c->o.inputs == 0 && !c->o.partial ? RECORD_INPUTS
										   : 0};
	char *target = NULL;
	bool kept = true;
	int rc = c->o.ring ? parse_size(c->o.ring, &live.ring, e) : 0;

	if (live.ring)
		live.flags |= RECORD_RING;
	if (!rc)
		rc = cli_out_place(&c->out, &target, e);
	if (!rc)
		rc = record_live_new(&c->live, target, &live, e);
	free(target);
	if (!rc && c->o.partial) {
		rc = coop_orders_make(c->live.dir, &c->partial.profile, c->o.dynamic, e);
		if (rc)
			record_live_close(&c->live, true);
	}
	if (rc)
		return rc;
	c->launch.live = &c->live;
	c->launch.program = &c->program;
	c->launch.executable = c->derived ? c->derived : c->program.path;
	c->launch.hang_ns = c->o.hang;
	record_files_begin(&c->files);
	rc = record_launch(&c->launch, e);
	if (!rc && !c->live.ctl->attached && WIFEXITED(c->launch.status) &&
	    WEXITSTATUS(c->launch.status) != 127)
		rc = err_set(e, ERR_GUEST, "%s ran without the recording runtime (status %d)",
			     c->program.path, proc_exit_code(c->launch.status));
	if (!rc && c->live.ctl->attached)
		rc = keep(c, &kept, e);
	else if (!rc && !c->o.quiet)
		fprintf(stderr, "heddle record: it ended before anything could be recorded\n");
	if (rc && c->live.ctl->attached)
		fprintf(stderr, "heddle record: what was recorded is left in %s\n", c->live.dir);
	record_live_close(&c->live, !rc || !c->live.ctl->attached);
	return rc;
}

/* The files of a run whose heddle is gone. */
static int finish(struct recorder *c, struct err *e)
{
	bool kept;
	int rc = record_live_open(&c->live, c->o.finish, e);

	if (rc)
		return rc;
	c->launch.executable = c->derived ? c->derived : c->program.path;
	/* How it ended nobody saw. */
	c->launch.status = c->live.ctl->failure.kind ? c->live.ctl->failure.signal : SIGKILL;
	c->o.keep = KEEP_ALL;
	rc = keep(c, &kept, e);
	record_live_close(&c->live, !rc);
	return rc;
}

static int check_backend(const struct recorder *c, struct err *e)
{
	int rc;

	switch (c->o.backend) {
	case RECORD_BITS:
	case RECORD_PATHS:
	case RECORD_SIM:
		return 0;
	case RECORD_PT:
		rc = record_pt_available(e);
		if (rc)
			return rc;
		break;
	default:
		break;
	}
	return err_set(e, ERR_UNSUPPORTED,
		       "the backend %s is not in this heddle; use --backend=bits",
		       trace_record_backend_name((unsigned)c->o.backend));
}

/* By backend: what the program has to be built as. */
static const enum record_binary_kind kinds[] = {
	[RECORD_BITS] = RECORD_BINARY_RECORD,
	[RECORD_PATHS] = RECORD_BINARY_PATHS,
	[RECORD_PT] = RECORD_BINARY_RECORD,
	[RECORD_SIM] = RECORD_BINARY_CHECK,
};
static const char *const flavors[] = {
	[RECORD_BITS] = "record",
	[RECORD_PATHS] = "paths",
	[RECORD_PT] = "record",
	[RECORD_SIM] = "check",
};

static int begin(struct recorder *c, char **argv, struct err *e)
{
	int rc = run_program_init(&c->program, argv, c->o.env, e);

	if (!rc && !c->o.quiet)
		cli_exec_say_secrets("record", &c->program);
	if (!rc)
		rc = record_binary_check(c->program.path, &c->kind, e);
	if (!rc)
		rc = check_backend(c, e);
	if (!rc && c->o.partial)
		rc = cli_partial_begin(&c->partial, c->o.partial, c->program.path, &c->derived, e);
	else if (!rc && c->kind != kinds[c->o.backend])
		rc = record_derive(c->program.path, flavors[c->o.backend], &c->derived, e);
	if (!rc)
		rc = cli_out_init_ending(&c->out, c->o.out, c->program.path,
					 c->o.partial ? ".crep" : ".rec", e);
	return rc;
}

int cmd_record_run(int argc, char **argv)
{
	struct recorder c = {.o = {.backend = 0}};
	struct err e = ERR_INIT;
	int status = 0, rest, rc = cli_options_parse(&options, &c.o, argc, argv, &rest, &e);

	if (!rc && rest >= argc)
		rc = err_set(&e, ERR_USAGE, "a program is missing (see heddle record --help)");
	if (!rc && c.o.partial && (c.o.backend != RECORD_BITS || c.o.ring))
		rc = err_set(&e, ERR_USAGE,
			     "--partial records orders only: no --backend, no --ring");
	if (!rc && c.o.dynamic && !c.o.partial)
		rc = err_set(&e, ERR_USAGE, "--dynamic is of --partial only");
	c.partial.dynamic = c.o.dynamic;
	if (rc)
		return cli_exit_options(&options, rc, &e);
	rc = begin(&c, argv + rest, &e);
	if (!rc)
		rc = c.o.finish			 ? finish(&c, &e)
		     : c.o.backend == RECORD_SIM ? simulate(&c, &status, &e)
						 : run(&c, &e);
	free(c.derived);
	cli_partial_fini(&c.partial);
	run_program_fini(&c.program);
	cli_out_fini(&c.out);
	if (rc)
		return cli_exit_error("record", &e);
	if (c.o.backend == RECORD_SIM)
		return status;
	return c.o.finish ? CLI_CLEAN : proc_exit_code(c.launch.status);
}
