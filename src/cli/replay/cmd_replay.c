/* heddle replay: a recorded execution again, event by event. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/replay/difference.h"
#include "cli/exec.h"
#include "cli/exit.h"
#include "cli/replay/gdb.h"
#include "cli/place.h"
#include "cli/print.h"
#include "cli/stable_check.h"
#include "cli/version.h"
#include "report/term.h"
#include "report/words.h"
#include "run/guest/compare.h"
#include "run/confirm/confirm.h"
#include "run/guest/keep.h"

struct replay_opts {
	struct cli_exec_opts exec;
	bool gdb, force;
	bool report[REPORT_FORMATS]; /* formats asked for */
	uint64_t times;
};

#define AT(field) offsetof(struct replay_opts, field)

static const struct cli_option table[] = {
	{0, "gdb", OPTION_FLAG, AT(gdb), NULL, 0, 0, NULL,
	 "replay in gdb; words after the bundle are given to gdb"},
	{0, "times", OPTION_UINT, AT(times), "1", 1, UINT64_C(1000000000), "N",
	 "replay so often; the program's output is shown only when N is 1"},
	{0, "force", OPTION_FLAG, AT(force), NULL, 0, 0, NULL,
	 "go on although the program has changed since the recording"},
	{0, "stdin", OPTION_STRING, AT(exec.stdin_path), NULL, 0, 0, "FILE|-",
	 "standard input of the program; - keeps ours"},
	{'t', "time", OPTION_DURATION, AT(exec.time_ns), NULL, 0, 0, "TIME",
	 "end after so long, whatever is under way"},
#define X(word, help) CLI_FORMAT_OPTION(word, help)
#include "report/formats.def"
#undef X
	CLI_EXEC_ENGINE(struct replay_opts),
	{0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL},
};

static const struct cli_options options = {
	.command = "replay",
	.operands = "BUNDLE|PACK [-- GDB-ARGUMENT...]",
	.about = "Runs a recorded execution again: same program, arguments, environment, directory "
		 "and schedule; that of a pack in the current directory. Every event is compared "
		 "with the recording. Exit code 0: the same "
		 "clean execution, 1: the same failure, 4: it went another way.",
	.table = table,
};

struct replay {
	struct replay_opts opts;
	struct cli_exec exec;
	const char *dir;  /* of the bundle */
	const char *name; /* the bundle or pack as the user calls it */
	struct trace_bundle bundle;
	struct wire_job job;
	struct run_inputs inputs;
	struct run_result result; /* of the last replay */
	struct run_difference difference;
	uint64_t done, same;
};

/* The recorded job, as one that follows the recorded choices. */
static void make_job(struct replay *p)
{
	const struct trace_meta *m = &p->bundle.meta;
	struct wire_job recorded = {
		.model = m->model,
		.flags = m->flags,
		.seed = m->seed,
		.max_steps = m->max_steps,
		.bound = m->bound,
	};
	uint32_t flags = JOB_EVENTS | JOB_EXACT | (m->flags & JOB_MARKERS);

	p->job = run_again_job(&recorded, flags, p->bundle.schedule.count);
	if (p->bundle.outcome.outcome == OUTCOME_LIMIT)
		p->job.flags &= ~(uint32_t)JOB_EXACT;
}

/* What the recorded execution read as standard input is read again, unless the user says other. */
static int read_bundle(struct replay *p, struct err *e)
{
	int rc = trace_bundle_read(p->dir, &p->bundle, e);

	if (rc == 0 && !p->opts.exec.stdin_path)
		p->opts.exec.stdin_path = run_keep_input(&p->bundle);
	return rc;
}

static int open_program(struct replay *p, struct err *e)
{
	const struct trace_meta *m = &p->bundle.meta;
	int rc;

	if (m->argv.count == 0)
		return err_set(e, ERR_FORMAT, "%s does not say how to start the program", p->name);
	rc = trace_meta_check_binaries(m, e);
	if (rc == ERR_MISMATCH && p->opts.force) {
		fprintf(stderr, "heddle replay: warning: %s\n", e->text);
		rc = 0;
	} else if (rc == ERR_MISMATCH) {
		return err_wrap(e, "the program is not the recorded one (--force replays anyway)");
	}
	if (rc != 0)
		return rc;
	run_program_set(&p->exec.program, m->program, m->cwd);
	run_program_set_argv(&p->exec.program, m->argv.items, m->argv.count);
	run_program_set_envp(&p->exec.program, m->environ.items, m->environ.count);
	make_job(p);
	if (run_keep_inputs(&p->bundle)) {
		rc = run_inputs_read(&p->inputs, run_keep_inputs(&p->bundle), e);
		p->exec.guest.inputs = &p->inputs;
	}
	return rc == 0 ? run_program_check(&p->exec.program, e) : rc;
}

static int replay_in_gdb(struct replay *p, char **words, struct err *e)
{
	struct run_guest *guest = NULL;
	char *gdb = NULL;
	pid_t pid;
	int rc = cli_gdb_find(&gdb, e);

	p->job.flags |= JOB_ONCE | JOB_PASS_OUTPUT;
	p->job.engine =
		p->opts.exec.engine == ENGINE_AUTO ? ENGINE_THREADS : (uint32_t)p->opts.exec.engine;
	if (rc == 0)
		rc = run_guest_new(&p->exec.guest, &guest, e);
	if (rc == 0)
		rc = run_guest_start_stopped(guest, &p->job, p->bundle.schedule.items, &pid, e);
	if (rc == 0)
		rc = cli_gdb_exec(gdb, pid, words, e);
	run_guest_free(guest);
	free(gdb);
	return rc;
}

/* One replay in a process of its own, with the program's input and output passed through. */
static int replay_once(struct replay *p, struct run_guest *guest, struct err *e)
{
	struct wire_job job = p->job;

	job.flags |= JOB_ONCE | JOB_PASS_OUTPUT;
	job.engine =
		p->opts.exec.engine == ENGINE_AUTO ? ENGINE_FORK : (uint32_t)p->opts.exec.engine;
	return run_guest_job(guest, &job, p->bundle.schedule.items, &p->result, e);
}

static int replay_many(struct replay *p, struct run_guest *guest, struct err *e)
{
	return run_engine_job(&p->exec.engine, guest, &p->job, p->bundle.schedule.items, &p->result,
			      e);
}

/* Is the program's output kept from the user's, which has several replays or a report on it? */
static bool is_captured(const struct replay *p)
{
	return p->opts.times > 1 || cli_print_format(p->opts.report, false) != &report_term;
}

/* Replays until one goes another way. */
static int replay(struct replay *p, struct err *e)
{
	struct run_guest *guest = NULL;
	bool many = is_captured(p);
	int rc = run_guest_new(&p->exec.guest, &guest, e);

	while (rc == 0 && p->done < p->opts.times && p->same == p->done &&
	       limit_reached(&p->exec.limit) == LIMIT_NONE) {
		rc = many ? replay_many(p, guest, e) : replay_once(p, guest, e);
		if (rc != 0)
			break;
		p->difference = run_compare(&p->bundle, &p->result);
		p->done++;
		p->same += p->difference.kind == RUN_SAME;
	}
	run_guest_free(guest);
	return rc;
}

static int exit_code_of(const struct replay *p)
{
	if (p->same != p->done || p->done < p->opts.times)
		return CLI_INCONCLUSIVE;
	return p->bundle.outcome.outcome == OUTCOME_FAILURE ? CLI_FINDINGS : CLI_CLEAN;
}

static void say_result(const struct replay *p, struct strbuf *to)
{
	const struct trace_bundle *b = &p->bundle;

	if (p->result.verdict == RUN_STOPPED || (p->same == p->done && p->done < p->opts.times)) {
		const char *why = limit_text(limit_reached(&p->exec.limit));

		strbuf_addf(to, "%s after %" PRIu64 " identical replays", why ? why : "stopped",
			    p->same);
		return;
	}
	if (p->opts.times > 1)
		strbuf_addf(to, "%" PRIu64 " of %" PRIu64 " identical", p->same, p->done);
	else
		strbuf_add(to, p->same ? "identical" : "not identical");
	strbuf_addf(to, ": %zu events, %s", b->events.count,
		    b->outcome.outcome == OUTCOME_FAILURE
			    ? report_word_failure(b->outcome.failure.kind)
			    : report_word_outcome(b->outcome.outcome));
	strbuf_addf(to, " (engine %s)", report_word_engine(p->result.wire.engine));
}

static int finish(struct replay *p)
{
	const struct report_ops *format = cli_print_format(p->opts.report, false);
	FILE *stream = is_captured(p) ? stdout : stderr;
	struct report report = {.ops = NULL};
	bool is_text = format == &report_term;
	struct report_finding row = {.bundle = &p->bundle, .dir = is_text ? NULL : p->name};
	struct strbuf text = STRBUF_INIT;
	struct report_summary summary = {
		.command = "replay", .version = HEDDLE_VERSION, .exit_code = exit_code_of(p)};

	say_result(p, &text);
	summary.text = text.text;
	cli_print_begin(&report, format, stream);
	if (summary.exit_code == CLI_FINDINGS &&
	    (!is_text || (p->opts.times == 1 && !p->opts.exec.quiet)))
		report_add(&report, &row);
	if (is_text && p->same != p->done && p->result.verdict != RUN_STOPPED)
		cli_difference_print(&p->bundle, &p->result, &p->difference, &report.to);
	report_end(&report, &summary);
	cli_print_report(&report, stream);
	strbuf_free(&report.to);
	strbuf_free(&text);
	return summary.exit_code;
}

static int run(struct replay *p, char **words, struct err *e)
{
	int rc = cli_place_open(&p->dir, false, e);

	if (rc == 0)
		rc = read_bundle(p, e);
	if (rc != 0)
		return rc;
	rc = cli_exec_prepare(&p->exec, "replay", &p->opts.exec, is_captured(p), e);
	if (rc == 0)
		rc = open_program(p, e);
	if (rc == 0 && p->opts.gdb)
		return replay_in_gdb(p, words, e);
	return rc == 0 ? replay(p, e) : rc;
}

int cmd_replay_run(int argc, char **argv)
{
	struct replay p = {
		.opts = {.exec = CLI_EXEC_OPTS_INIT},
		.exec = {.in_fd = -1},
		.result = RUN_RESULT_INIT,
	};
	struct err e = ERR_INIT;
	int rest, rc = cli_options_parse(&options, &p.opts, argc, argv, &rest, &e);
	char **words;

	if (rc == 0 && rest >= argc)
		rc = err_set(&e, ERR_USAGE, "a bundle is missing (see heddle replay --help)");
	else if (rc == 0 && rest + 1 < argc && !p.opts.gdb)
		rc = err_set(&e, ERR_USAGE, "'%s' is one word too many", argv[rest + 1]);
	if (rc != 0)
		return cli_exit_options(&options, rc, &e);
	p.dir = p.name = argv[rest];
	words = argv + rest + 1;
	if (!p.opts.gdb && cli_stable_is_record(p.dir))
		return cli_stable_replay(p.dir, &p.opts.exec, p.opts.times);
	if (*words && words[0][0] == '-' && words[0][1] == '-' && words[0][2] == '\0')
		words++;
	rc = run(&p, words, &e);
	rc = rc == 0 ? finish(&p) : cli_exit_error("replay", &e);
	run_result_free(&p.result);
	vec_free(&p.inputs);
	trace_bundle_fini(&p.bundle);
	cli_exec_end(&p.exec);
	return rc;
}
