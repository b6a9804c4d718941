/* heddle reproduce: from a recording of a failing run to a bundle that fails again. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/finding.h"
#include "report/info/recording.h"
#include "cli/out.h"
#include "cli/print.h"
#include "cli/reproduce/run.h"
#include "model/memory_model.h"
#include "report/json.h"
#include "report/term.h"
#include "report/words.h"
#include "run/guest/compare.h"

#define TIME_DEFAULT "60"
#define MODEL_AUTO 0 /* the models follow */
/* How long a found schedule is replayed at most, however often was asked for. */
#define MAX_STEPS "1000000" /* more when runs are cut off there */
#define REPLAY_NS UINT64_C(20000000000)

struct reproduce_opts {
	struct cli_exec_opts exec;
	int method, encoding, model;
	uint64_t replays;
	const char *out;
	bool json;
};

#define AT(field) offsetof(struct reproduce_opts, field)

static const struct cli_option table[] = {
	{0, "method", OPTION_CHOICE, AT(method), "auto", 0, 0, "auto|solve|search",
	 "compute a schedule, search for one with executions under control, or both"},
	{0, "encoding", OPTION_CHOICE, AT(encoding), "core", 0, 0, "core|plain",
	 "solve: read-write constraints by core (H3) or for each pair (CLAP)"},
	{0, "model", OPTION_CHOICE, AT(model), "auto", 0, 0,
	 MODEL_MEMORY_CHOICES_OR_AUTO,
	 "memory model; auto takes the strongest that allows the failure"},
	{'t', "time", OPTION_DURATION, AT(exec.time_ns), TIME_DEFAULT, 0, 0, "TIME",
	 "end after so long, whatever is under way; 0: no limit"},
	{0, "replays", OPTION_UINT, AT(replays), "1000", 1, 1000000, "N",
	 "run the schedule found again so often"},
	{'o', "output", OPTION_STRING, AT(out), CLI_OUT_DEFAULT, 0, 0, "DIR",
	 "directory for the bundle"},
	{0, "seed", OPTION_STRING, AT(exec.seed), "1", 0, 0, "N|random",
	 "search: seed of the first execution"},
	{0, "max-steps", OPTION_UINT, AT(exec.max_steps), MAX_STEPS, 0, UINT64_C(1000000000000),
	 "N", "search: end a run after so many scheduling steps; 0: no limit"},
	{0, "json", OPTION_FLAG, AT(json), NULL, 0, 0, NULL, "report as JSON"},
	CLI_EXEC_ENGINE(struct reproduce_opts),
	{0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL},
};

static const struct cli_options options = {
	.command = "reproduce",
	.operands = "RECORDING",
	.about = "Finds a schedule that fails as the recorded run did, runs it, and keeps it as a "
		 "bundle for heddle replay. Exit code 1: reproduced, 0: the recording has no "
		 "failure, 4: not within the limits.",
	.table = table,
};

struct reproduce {
	struct reproduce_opts opts;
	struct cli_reproduce x;
	const char *dir;
	char *program, *input, *place; /* place: of the recording, absolute */
	struct run_inputs inputs;
	struct cli_out out;
	struct cli_kept kept;
	bool is_kept;
	uint64_t begin_ns, replayed, replays;
	char unconfirmed[1024];
};

/* ---- the recording ---- */

static int read_recording(struct reproduce *p, struct err *e)
{
	int rc;

	if (fs_is_dir(p->dir) && !trace_recording_is(p->dir)) {
		struct trace_bundle b = TRACE_BUNDLE_INIT;
		struct err why = ERR_INIT;
		bool bundle = trace_bundle_read(p->dir, &b, &why) == 0;

		trace_bundle_fini(&b);
		if (bundle)
			return err_set(e, ERR_FORMAT,
				       "%s is not a recording but a bundle, which has its schedule "
				       "already (heddle replay runs it again)",
				       p->dir);
	}
	rc = trace_recording_read(p->dir, &p->x.recording, e);
	return rc == ERR_NOT_FOUND || rc == ERR_FORMAT ? err_wrap(e, "cannot read the recording")
						       : rc;
}

static int prepare(struct reproduce *p, struct err *e)
{
	const struct trace_recording *r = &p->x.recording;
	struct cli_reproduce *x = &p->x;
	int rc = cli_out_init(&p->out, p->opts.out, r->meta.program, e);

	/* Beside the bundle, whose own directory must not be there before it is written. */
	if (rc == 0)
		rc = cli_reproduce_program(r, p->out.dir, &p->program, e);
	if (rc == 0)
		rc = cli_reproduce_stdin(r, p->out.dir, &p->input, e);
	if (rc != 0)
		return rc;
	p->opts.exec.stdin_path = p->input ? p->input : "/dev/null";
	rc = cli_exec_prepare(&x->exec, "reproduce", &p->opts.exec, true, e);
	if (rc != 0)
		return rc;
	run_program_set(&x->exec.program, p->program, r->meta.cwd);
	run_program_set_argv(&x->exec.program, r->meta.argv.items, r->meta.argv.count);
	run_program_set_envp(&x->exec.program, r->meta.environ.items, r->meta.environ.count);
	run_inputs_make(&p->inputs, r);
	if (p->inputs.count)
		x->exec.guest.inputs = &p->inputs;
	x->exec.job = (struct wire_job){.runs = 1, .max_steps = p->opts.exec.max_steps};
	/* The C library refused that, and the program went on. */
	if (r->backend != RECORD_SIM)
		x->exec.job.flags |= JOB_DESTROY_BUSY;
	rc = cli_options_uint(p->opts.exec.seed, &x->exec.job.seed, e);
	return rc == 0 ? run_program_check(&x->exec.program, e) : rc;
}

/* ---- the failure again ---- */

static int replay(struct reproduce *p, struct run_guest *guest, struct err *e)
{
	struct limit limit = limit_within(&p->x.exec.limit, REPLAY_NS);
	const struct trace_bundle *b = &p->kept.bundle;
	struct run_again again = {
		.engine = &p->x.exec.engine, .guest = guest, .job = p->x.found.job};
	struct run_result r = RUN_RESULT_INIT;
	int rc = 0;

	while (rc == 0 && p->replays < p->opts.replays &&
	       (p->replays == 0 || limit_reached(&limit) == LIMIT_NONE)) {
		struct wire_job job =
			run_again_job(&again.job, JOB_EVENTS | JOB_EXACT, b->schedule.count);

		rc = run_last(&again, &job, b->schedule.items, &r, e);
		if (rc != 0 || r.verdict == RUN_STOPPED)
			break;
		p->replays++;
		p->replayed += run_compare(b, &r).kind == RUN_SAME;
	}
	run_result_free(&r);
	return rc;
}

/* A simpler schedule must not fail in another thread, or at another operation of the line. */
static bool same_again(void *arg, const struct run_result *r)
{
	struct reproduce *p = arg;
	enum repro_likeness same = repro_match(&p->x.match, r);

	if (p->x.is_near)
		return same == REPRO_NEAR && p->x.match.near == p->x.is_near &&
		       r->wire.failure.tid == p->x.found.result.wire.failure.tid;
	return same == REPRO_SAME;
}

/* A failure that does not come back under its own schedule is none that was reproduced. */
static int keep(struct reproduce *p, struct run_guest *guest, struct err *e)
{
	struct strbuf note = STRBUF_INIT;
	struct cli_finding ctx = {
		.exec = &p->x.exec, .out = &p->out, .guest = guest, .simplify = true};
	struct err why = ERR_INIT;
	int rc;

	strbuf_addf(&note, "reproduced from the recording %s", p->dir);
	ctx.note = note.text;
	ctx.inputs = p->inputs.count ? p->place : NULL;
	ctx.same = same_again;
	ctx.arg = p;
	rc = cli_finding_keep(&ctx, &p->x.found, &p->kept, &why);
	strbuf_free(&note);
	if (rc == ERR_MISMATCH) {
		snprintf(p->unconfirmed, sizeof(p->unconfirmed), "%s", why.text);
		return 0;
	}
	if (rc != 0) {
		*e = why;
		return rc;
	}
	p->is_kept = true;
	return replay(p, guest, e);
}

static int reproduce(struct reproduce *p, struct err *e)
{
	struct run_guest *guest = NULL;
	int rc = prepare(p, e);

	if (rc != 0)
		return rc;
	repro_match_init(&p->x.match, &p->x.recording);
	p->x.method = p->opts.method;
	p->x.by_core = p->opts.encoding == 0;
	p->x.more_steps = p->opts.exec.max_steps == strtoull(MAX_STEPS, NULL, 10);
	for (int m = MODEL_SC; m < MODEL_COUNT; m++)
		p->x.models[m] = p->opts.model == MODEL_AUTO || p->opts.model == m + 1;
	rc = run_guest_new(&p->x.exec.guest, &guest, e);
	if (rc == 0)
		rc = cli_reproduce_run(&p->x, guest, p->dir, e);
	if (rc == 0 && p->x.is_found)
		rc = keep(p, guest, e);
	run_guest_free(guest);
	return rc;
}

/* ---- words ---- */

static uint32_t model_of(const struct reproduce *p)
{
	/* Whoever looked at the weak memory of it knows of a stronger model, perhaps. */
	if (p->x.found.job.model != MODEL_SC && p->kept.weak.found != MODEL_SC)
		return p->kept.weak.needs;
	return p->x.found.job.model;
}

static int exit_code_of(const struct reproduce *p)
{
	if (p->x.recording.failure.kind == RECORD_FAIL_NONE)
		return CLI_CLEAN;
	return p->is_kept && p->replayed == p->replays ? CLI_FINDINGS : CLI_INCONCLUSIVE;
}

static const char *const near_words[] = {
	[REPRO_NEAR_NOTHING] = "",
	[REPRO_NEAR_BEFORE] = "noticed before the recorded run crashed",
	[REPRO_NEAR_THREAD] = "in another thread of the same function",
	[REPRO_NEAR_LINE] = "at another operation of the same line",
};

static void say_result(const struct reproduce *p, struct strbuf *to)
{
	int code = exit_code_of(p);

	if (code == CLI_CLEAN) {
		strbuf_add(to, "the recording has no failure");
		return;
	}
	if (code == CLI_FINDINGS) {
		strbuf_addf(to, "reproduced under %s by %s in ", report_word_model(model_of(p)),
			    p->x.way);
		strbuf_add_seconds(to, limit_now() - p->begin_ns);
		strbuf_add(to, " s");
		if (p->x.is_near)
			strbuf_addf(to, ", %s", near_words[p->x.is_near]);
		else if (p->x.found.job.flags & JOB_PAST_MISUSE)
			strbuf_add(to, ", after accesses to memory that was not the program's");
		strbuf_addf(to, " (%" PRIu64 " executions); replayed %" PRIu64 " of %" PRIu64,
			    p->x.stats.runs, p->replayed, p->replays);
		return;
	}
	strbuf_add(to, "inconclusive: ");
	repro_match_say(&p->x.recording, to);
	strbuf_add(to, " was not reproduced: ");
	if (p->is_kept)
		strbuf_addf(to,
			    "a schedule that fails like that failed in %" PRIu64 " of %" PRIu64
			    " replays only",
			    p->replayed, p->replays);
	else if (p->unconfirmed[0])
		strbuf_addf(to, "it did not come back under its own schedule: %s", p->unconfirmed);
	else
		strbuf_add(to, p->x.why.text ? p->x.why.text : "nothing was tried");
}

static void add_recorded_failure(struct json_out *j, const struct trace_recording *r)
{
	json_out_object_begin(j, "failure");
	json_out_string(j, "kind", trace_record_failure_name(r->failure.kind));
	json_out_string(j, "message", r->failure.text);
	if (r->failure.thread != RECORD_NO_THREAD)
		json_out_uint(j, "thread", r->failure.thread);
	json_out_object_begin(j, "site");
	json_out_string(j, "file", r->place.file);
	json_out_uint(j, "line", r->place.line);
	json_out_string(j, "function", r->place.function);
	json_out_object_end(j);
	json_out_object_end(j);
}

static void add_constraints(struct json_out *j, const struct strace_counts *c)
{
	json_out_object_begin(j, "constraints");
	json_out_uint(j, "total", c->total);
	json_out_uint(j, "rw", c->rw);
	json_out_uint(j, "path", c->path);
	json_out_uint(j, "sync", c->sync);
	json_out_uint(j, "order", c->order);
	json_out_uint(j, "variables", c->vars);
	json_out_object_end(j);
}

static void print_json(const struct reproduce *p, const struct cli_answer *answer)
{
	struct strbuf to = STRBUF_INIT;
	struct json_out j;
	int code = exit_code_of(p);
	bool good = code == CLI_FINDINGS;
	char replayed[64];

	snprintf(replayed, sizeof(replayed), "%" PRIu64 " of %" PRIu64, p->replayed, p->replays);
	json_out_init(&j, &to);
	json_out_object_begin(&j, NULL);
	json_out_string(&j, "command", "reproduce");
	json_out_string(&j, "recording", p->dir);
	json_out_string(&j, "program", p->x.recording.meta.program);
	json_out_bool(&j, "reproduced", good);
	json_out_string(&j, "bundle", good ? p->kept.path : NULL);
	json_out_string(&j, "model", good ? model_memory_get(model_of(p))->name : NULL);
	json_out_string(&j, "method", p->x.way);
	json_out_bool(&j, "same_place",
		      good && p->x.is_near != REPRO_NEAR_BEFORE && p->x.is_near != REPRO_NEAR_LINE);
	json_out_bool(&j, "same_thread", good && p->x.is_near != REPRO_NEAR_THREAD);
	if (good)
		report_json_failure(&j, "failure", &p->kept.bundle);
	else if (code != CLI_CLEAN)
		add_recorded_failure(&j, &p->x.recording);
	json_out_uint(&j, "events", good ? p->kept.bundle.events.count : p->x.events);
	add_constraints(&j, &p->x.counts);
	json_out_real(&j, "solve_seconds", (double)p->x.solve_ns / 1e9);
	json_out_real(&j, "search_seconds", (double)p->x.search_ns / 1e9);
	json_out_uint(&j, "executions", p->x.stats.runs);
	json_out_string(&j, "replayed", replayed);
	cli_print_json_end(answer, &j, &to);
	fputs(to.text, stdout);
	strbuf_free(&to);
}

static int finish(struct reproduce *p)
{
	struct strbuf text = STRBUF_INIT;
	struct err e = ERR_INIT;
	int code = exit_code_of(p);
	struct cli_answer answer = {
		.command = "reproduce", .exit_code = code, .begin_ns = p->begin_ns};
	const struct cli_kept *kept = &p->kept;

	say_result(p, &text);
	answer.text = text.text;
	if (p->opts.json)
		print_json(p, &answer);
	else
		cli_print_answer(&answer, &kept, code == CLI_FINDINGS);
	strbuf_free(&text);
	if (fs_finish_output(stdout, "standard output", &e) != 0)
		return cli_exit_error("reproduce", &e);
	return code;
}

static void end(struct reproduce *p)
{
	if (p->is_kept)
		cli_kept_fini(&p->kept);
	run_result_free(&p->x.found.result);
	run_result_free(&p->x.near.result);
	repro_match_fini(&p->x.match);
	trace_recording_fini(&p->x.recording);
	strbuf_free(&p->x.why);
	cli_out_fini(&p->out);
	if (p->x.exec.command)
		cli_exec_end(&p->x.exec);
	vec_free(&p->inputs);
	free(p->program);
	free(p->input);
	free(p->place);
}

int cmd_reproduce_run(int argc, char **argv)
{
	struct reproduce p = {.opts = {.exec = CLI_EXEC_OPTS_INIT},
			      .begin_ns = limit_now(),
			      .x = {.recording = TRACE_RECORDING_INIT,
				    .found = {.result = RUN_RESULT_INIT},
				    .near = {.result = RUN_RESULT_INIT}}};
	struct err e = ERR_INIT;
	int rest, rc = cli_options_parse(&options, &p.opts, argc, argv, &rest, &e);

	if (rc == 0 && rest >= argc)
		rc = err_set(&e, ERR_USAGE, "a recording is missing (see heddle reproduce --help)");
	else if (rc == 0 && rest + 1 < argc)
		rc = err_set(&e, ERR_USAGE, "'%s' is one word too many", argv[rest + 1]);
	if (rc != 0)
		return cli_exit_options(&options, rc, &e);
	p.dir = argv[rest];
	p.place = realpath(p.dir, NULL);
	rc = read_recording(&p, &e);
	if (rc == 0 && p.x.recording.failure.kind != RECORD_FAIL_NONE)
		rc = reproduce(&p, &e);
	rc = rc == 0 ? finish(&p) : cli_exit_error("reproduce", &e);
	end(&p);
	return rc;
}
