#include "cli/stable_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/json_out.h"
#include "base/limit.h"
#include "base/mem.h"
#include "cli/exit.h"
#include "cli/out.h"
#include "cli/version.h"
#include "explore/learn/estimate.h"
#include "explore/nested/record.h"

#define TIME_DEFAULT_NS UINT64_C(60000000000)
#define PROGRESS_NS UINT64_C(250000000)
#define ENDING ".stable"

struct stable_check {
	const struct cli_stable_how *how;
	char **words;
	struct cli_exec exec;
	struct nested_program program;
	struct nested_result result;
	struct cli_out out;
	char *path, *library;
	VEC(char *) records; /* of the findings */
	uint64_t began, next_ns;
	bool shown;
};

/* ---- progress ---- */

static void show(void *arg, const struct nested_progress *now)
{
	struct stable_check *c = arg;
	uint64_t ns = limit_now();
	char expected[32];

	if (c->how->exec->quiet || !isatty(2) || ns < c->next_ns)
		return;
	c->next_ns = ns + PROGRESS_NS;
	c->shown = true;
	estimate_text(expected, sizeof(expected), now->expected);
	fprintf(stderr, "\r\033[K%" PRIu64 " executions of about %s, %.0f s", now->executions,
		expected, (double)(ns - c->began) / 1e9);
	fflush(stderr);
}

/* ---- the program ---- */

int cli_stable_library(char **library, struct err *e)
{
	char *dir = fs_self_dir();

	*library = xasprintf("%s/../lib/heddle/libheddle-stable.so", dir);
	free(dir);
	return fs_exists(*library) ? 0 : err_set(e, ERR_NOT_FOUND, "%s is missing", *library);
}

static int prepare(struct stable_check *c, struct err *e)
{
	int rc = cli_exec_prepare(&c->exec, "check", c->how->exec, true, e);

	if (rc == 0 && !c->how->exec->time_ns)
		c->exec.limit = limit_within(&c->exec.limit, TIME_DEFAULT_NS);
	if (rc == 0)
		rc = stable_launch_check(c->words[0], &c->path, e);
	if (rc == 0)
		rc = cli_stable_library(&c->library, e);
	if (rc == 0)
		rc = cli_out_init_ending(&c->out, c->how->out, c->path, ENDING, e);
	if (rc)
		return rc;
	c->program = (struct nested_program){
		.path = c->path,
		.library = c->library,
		.argv = c->words,
		.input = c->exec.in_fd,
		.det = c->how->opts->pcs_exit != 0,
		.exit_fails = c->how->exec->exit_code,
		.hang_ns = c->how->exec->hang_ns,
		.limit = &c->exec.limit,
	};
	return nested_program_begin(&c->program, e);
}

/* ---- recordings ---- */

struct writing {
	struct nested_record record;
	const struct nested_finding *finding;
};

static int write_record(void *arg, const char *name, struct err *e)
{
	struct writing *w = arg;

	return nested_record_write(name, &w->record, w->finding->failure.details, e);
}

static int keep(struct stable_check *c, const struct nested_finding *f, struct err *e)
{
	struct writing w = {.finding = f};
	char *path = NULL;
	int rc;

	w.record.program = realpath(c->path, NULL);
	w.record.directory = getcwd(NULL, 0);
	w.record.input = c->exec.program.input;
	w.record.det = c->program.det;
	w.record.exit_fails = c->program.exit_fails;
	for (char **word = c->words; *word; word++)
		vec_push(&w.record.arguments, *word);
	w.record.finding = *f;
	rc = w.record.program && w.record.directory
		     ? cli_out_put(&c->out, write_record, &w, &path, e)
		     : err_errno(e, ERR_IO, "cannot tell where %s is", c->path);
	free(w.record.program);
	free(w.record.directory);
	vec_free(&w.record.arguments);
	vec_push(&c->records, path);
	return rc;
}

/* ---- the report ---- */

static const char *command_of(const struct stable_check *c)
{
	return c->program.det ? "heddle stable --pcs-exit=det" : "heddle stable";
}

static int verdict(const struct stable_check *c, struct strbuf *text)
{
	const struct nested_result *r = &c->result;
	char about[32];

	estimate_text(about, sizeof(about), r->weighted);
	if (r->findings.count) {
		strbuf_addf(text, "%zu failure%s in schedules that %s can give",
			    (size_t)r->findings.count, r->findings.count == 1 ? "" : "s",
			    command_of(c));
		if (!r->complete && r->reason.length)
			strbuf_addf(text, "; not all of them were run: %s", r->reason.text);
		return CLI_FINDINGS;
	}
	if (!r->complete) {
		strbuf_addf(text,
			    "no failure in %" PRIu64 " executions, but not all schedules of %s "
			    "were run: %s",
			    r->executions, command_of(c),
			    r->reason.length ? r->reason.text : "the search was ended");
		if (r->sections && isfinite(r->weighted))
			strbuf_addf(text, " (%" PRIu64 " of about %s executions)", r->schedules,
				    about);
		if (r->quick)
			strbuf_addf(text,
				    "; of those in which threads return from sections at once, "
				    "all %" PRIu64 " were",
				    r->quick);
		return CLI_INCONCLUSIVE;
	}
	if (r->sections)
		strbuf_addf(text,
			    "no failure: all schedules that %s can give for this input were "
			    "run, %" PRIu64 " with %" PRIu64 " orders in sections, in %" PRIu64
			    " executions",
			    command_of(c), r->distinct, r->orders, r->schedules);
	else
		strbuf_addf(text,
			    "no failure: all schedules that %s can give for this input were "
			    "run; it is one (hash %016" PRIx64 ", %" PRIu64 " operations)",
			    command_of(c), r->hash, r->operations);
	strbuf_add(text, " (orders of synchronisation: accesses to memory that race are in no "
			 "schedule)");
	if (r->odd_status)
		strbuf_addf(text,
			    "; %" PRIu64 " of %" PRIu64 " executions ended with a status "
			    "other than 0, which --exit-code makes a failure",
			    r->odd_status, r->executions);
	return CLI_CLEAN;
}

static void print_finding(const struct nested_finding *f, const char *record)
{
	printf("\nfailure: %s\n", f->failure.headline);
	if (f->failure.file)
		printf("  at %s:%" PRIu64 "%s%s\n", f->failure.file, f->failure.line,
		       f->failure.function ? " in " : "",
		       f->failure.function ? f->failure.function : "");
	if (f->failure.details && f->failure.details[0])
		fputs(f->failure.details, stdout);
	printf("  run again %u times, it failed in the same way %u times\n", f->tried, f->again);
	if (record)
		printf("  recording: %s (heddle replay %s)\n", record, record);
}

static void print_text(const struct stable_check *c, const char *text, int code)
{
	const struct nested_result *r = &c->result;
	bool color = isatty(1) && !getenv("NO_COLOR");
	char weighted[32], knuth[32];

	for (size_t i = 0; i < r->findings.count; i++)
		print_finding(&r->findings.items[i], c->records.items[i]);
	if (r->findings.count)
		putchar('\n');
	printf("%scheck: %s%s\n",
	       !color		      ? ""
	       : code == CLI_CLEAN    ? "\033[32m"
	       : code == CLI_FINDINGS ? "\033[31m"
				      : "\033[33m",
	       text, color ? "\033[0m" : "");
	if (!c->how->stats)
		return;
	estimate_text(weighted, sizeof(weighted), r->weighted);
	estimate_text(knuth, sizeof(knuth), r->knuth);
	printf("  executions %" PRIu64 ", schedules %" PRIu64 ", redundant %" PRIu64 "\n"
	       "  executions in all about %s, orders without reduction about %s\n"
	       "  operations %" PRIu64 ", %.3f s\n",
	       r->executions, r->distinct, r->redundant, weighted, knuth, r->operations,
	       (double)(limit_now() - c->began) / 1e9);
}

static void add_log(struct json_out *j, const char *name, double log)
{
	if (isfinite(log))
		json_out_real(j, name, log);
	else
		json_out_raw(j, name, "null");
}

static void add_finding(struct json_out *j, const struct nested_finding *f, const char *record)
{
	json_out_object_begin(j, NULL);
	json_out_object_begin(j, "failure");
	json_out_string(j, "kind", f->failure.kind);
	json_out_string(j, "headline", f->failure.headline);
	json_out_string(j, "details", f->failure.details);
	json_out_int(j, "value", f->failure.code);
	json_out_object_begin(j, "site");
	json_out_string(j, "file", f->failure.file);
	json_out_uint(j, "line", f->failure.line);
	json_out_string(j, "function", f->failure.function);
	json_out_object_end(j);
	json_out_object_end(j);
	json_out_string(j, "bundle", record);
	json_out_uint(j, "tried", f->tried);
	json_out_uint(j, "failed_again", f->again);
	json_out_object_end(j);
}

static void add_size(struct json_out *j, const struct nested_result *r)
{
	json_out_uint(j, "schedules", r->distinct);
	json_out_uint(j, "orders", r->orders);
	json_out_uint(j, "explored", r->schedules);
	json_out_uint(j, "returning_at_once", r->quick);
	json_out_object_begin(j, "estimate");
	add_log(j, "weighted", r->weighted);
	add_log(j, "knuth", r->knuth);
	add_log(j, "knuth_low", r->knuth_low);
	add_log(j, "knuth_high", r->knuth_high);
	json_out_object_end(j);
}

static void print_json(const struct stable_check *c, const char *text, int code)
{
	static const char *const verdicts[] = {[CLI_CLEAN] = "clean",
					       [CLI_FINDINGS] = "failure",
					       [CLI_INCONCLUSIVE] = "inconclusive"};
	const struct nested_result *r = &c->result;
	struct strbuf to = STRBUF_INIT;
	struct json_out j;
	char hash[20];

	snprintf(hash, sizeof(hash), "%016" PRIx64, r->hash);
	json_out_init(&j, &to);
	json_out_object_begin(&j, NULL);
	json_out_array_begin(&j, "findings");
	for (size_t i = 0; i < r->findings.count; i++)
		add_finding(&j, &r->findings.items[i], c->records.items[i]);
	json_out_array_end(&j);
	json_out_string(&j, "command", "check");
	json_out_string(&j, "version", HEDDLE_VERSION);
	json_out_string(&j, "program", c->path);
	json_out_string(&j, "verdict", verdicts[code]);
	json_out_string(&j, "text", text);
	json_out_int(&j, "exit_code", code);
	json_out_string(&j, "strategy", "stable");
	json_out_bool(&j, "complete", r->complete);
	json_out_string(&j, "reason", r->reason.length ? r->reason.text : NULL);
	json_out_bool(&j, "sections", r->sections);
	add_size(&j, r);
	json_out_uint(&j, "runs", r->executions);
	json_out_uint(&j, "redundant", r->redundant);
	json_out_uint(&j, "failures", r->findings.count);
	json_out_bool(&j, "exhausted", r->complete);
	json_out_string(&j, "hash", r->sections ? NULL : hash);
	json_out_uint(&j, "operations", r->operations);
	json_out_real(&j, "seconds", (double)(limit_now() - c->began) / 1e9);
	json_out_object_end(&j);
	puts(to.text);
	strbuf_free(&to);
}

/* ---- the command ---- */

static int check(struct stable_check *c, struct err *e)
{
	struct nested_plan plan = {
		.whole = c->how->opts->whole,
		.keep_going = c->how->keep_going,
		.executions = c->how->executions,
		.progress = show,
		.arg = c,
	};
	int rc = prepare(c, e);

	if (rc == 0)
		rc = nested_check(&c->program, &plan, &c->result, e);
	if (c->shown)
		fprintf(stderr, "\r\033[K");
	for (size_t i = 0; rc == 0 && i < c->result.findings.count; i++)
		rc = keep(c, &c->result.findings.items[i], e);
	return rc;
}

int cli_stable_check(const struct cli_stable_how *how, char **words)
{
	struct stable_check c = {.how = how, .words = words, .exec = {.in_fd = -1}};
	struct strbuf text = STRBUF_INIT;
	struct err e = ERR_INIT;
	int code;

	c.began = limit_now();
	if (check(&c, &e) != 0) {
		code = cli_exit_error("check", &e);
	} else {
		code = verdict(&c, &text);
		if (how->json)
			print_json(&c, text.text, code);
		else
			print_text(&c, text.text, code);
	}
	strbuf_free(&text);
	nested_result_fini(&c.result);
	nested_program_end(&c.program);
	for (size_t i = 0; i < c.records.count; i++)
		free(c.records.items[i]);
	vec_free(&c.records);
	cli_out_fini(&c.out);
	cli_exec_end(&c.exec);
	free(c.path);
	free(c.library);
	return code;
}
