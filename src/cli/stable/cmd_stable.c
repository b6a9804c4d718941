/* heddle stable: run a program under one schedule; compare and show schedule logs. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/stable/memory.h"
#include "cli/options.h"
#include "stable/advice.h"
#include "stable/atomics.h"
#include "stable/launch.h"
#include "stable/log.h"
#include "stable/text.h"

struct stable_opts {
	const char *log, *check, *off, *config, *hints;
	const char *policy, *idle, *spin, *r_ns, *soba_default, *soba_unit, *iso, *on_deadlock;
	const char *pcs_mode, *pcs_exit, *exit, *clamp, *clamp_max, *stacks, *delay, *omp, *state, *stall,
		*depth;
	const char *memo;
	int memo_mode;
	bool json;
	bool hash, hash_all, profile, stats, vtime, quiet, aslr, strict;
	size_t shown; /* bytes of messages that were printed while the program ran */
};

#define AT(field) offsetof(struct stable_opts, field)
#define TEXT(name, field, arg, help)                                                               \
	{                                                                                          \
		0, name, OPTION_STRING, AT(field), NULL, 0, 0, arg, help                           \
	}
#define FLAG(name, field, help)                                                                    \
	{                                                                                          \
		0, name, OPTION_FLAG, AT(field), NULL, 0, 0, NULL, help                            \
	}

static const struct cli_option table[] = {
	TEXT("log", log, "FILE", "write the schedule to FILE"),
	FLAG("hash", hash, "print the hash of the schedule"),
	FLAG("hash-all", hash_all, "the same with hints and logical times counted"),
	FLAG("strict", strict, "exit code 4 when something was not scheduled"),
	TEXT("replay-check", check, "FILE", "compare the schedule with the one in FILE"),
	TEXT("memo", memo, "CACHE", "reuse schedules remembered in CACHE, remember new ones"),
	{0, "memo-mode", OPTION_CHOICE, AT(memo_mode), "learn", 0, 0, "learn|use|shadow",
	 "when none is remembered: learn one, only use, or run natively and learn beside"},
	FLAG("json", json, "with --memo: what was done, as a line of JSON on standard error"),
	FLAG("profile", profile, "find code that makes others wait, propose hints"),
	FLAG("stats", stats, "print counters of the run"),
	TEXT("off", off, "soba,pcs", "ignore these hints"),
	TEXT("hints", hints, "FILE", "hints at call sites, see --profile"),
	TEXT("depth", depth, "N", "frames between the program's own wrappers and a site (0)"),
	TEXT("policy", policy, "rr|batch|local|fence|serial|fcfs|off", "who is next (local)"),
	TEXT("config", config, "FILE", "settings (heddle-stable.conf if it exists)"),
	TEXT("spin", spin, "auto|only|CYCLES", "spin so long before sleeping (auto)"),
	TEXT("idle", idle, "pace|ff", "when all sleep: pace time or jump (pace)"),
	TEXT("turn-ns", r_ns, "NS", "real time of one logical turn (3000)"),
	TEXT("clamp", clamp, "0|1", "keep timeouts in a sensible range (1)"),
	TEXT("clamp-max", clamp_max, "TURNS", "longest timeout (1000000)"),
	TEXT("soba-default", soba_default, "N", "timeout of soft barriers (20)"),
	TEXT("soba-unit", soba_unit, "rounds|turns", "its unit (rounds)"),
	TEXT("pcs-mode", pcs_mode, "lazy|quiesce", "how sections are entered (lazy)"),
	TEXT("pcs-exit", pcs_exit, "nondet|det|TURNS", "how they are left (nondet)"),
	TEXT("isolation", iso, "warn|abort|off", "objects used in and outside sections (warn)"),
	TEXT("on-deadlock", on_deadlock, "exit|abort|hang", "what a deadlock does (exit)"),
	TEXT("exit", exit, "hold|release", "other threads while the program exits (hold)"),
	FLAG("aslr", aslr, "leave addresses random from run to run"),
	FLAG("virtual-time", vtime, "clocks show logical time"),
	TEXT("stacks", stacks, "N", "frames of each operation in the log (8)"),
	TEXT("omp", omp, "0|1", "own OpenMP runtime for -fopenmp programs (1)"),
	TEXT("state", state, "order|free",
	     "order of streams, files, pipes and generators that threads share (order)"),
	TEXT("stall", stall, "SECONDS", "leave behind a thread that keeps its turn so long (10)"),
	TEXT("delay", delay, "US", "random delays before operations, for tests"),
	{'q', "quiet", OPTION_FLAG, AT(quiet), NULL, 0, 0, NULL, "no messages of the runtime"},
	{0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL},
};

static const struct cli_options options = {
	.command = "stable",
	.operands = "PROGRAM [ARGUMENT...] | diff LOG LOG | show LOG |\n"
		    "       heddle stable memo list|show|check|merge|label|cover CACHE ...",
	.about = "Runs a program, as it is, under one synchronisation schedule: the same on every "
		 "run and for all inputs of a kind. diff compares two schedule logs, show prints "
		 "one. memo looks at and changes caches of remembered schedules.",
	.table = table,
};

/* Options that are settings of the runtime: the words they take, NULL for numbers. */
static const struct {
	size_t at;
	const char *name, *words;
} settings[] = {
	{AT(policy), "POLICY", "rr|batch|local|fence|serial|fcfs|off"},
	{AT(idle), "IDLE", "pace|ff"},
	{AT(spin), "SPIN", "auto|only|#"},
	{AT(r_ns), "R_NS", "#"},
	{AT(soba_default), "SOBA_DEFAULT", "#"},
	{AT(soba_unit), "SOBA_UNIT", "rounds|turns"},
	{AT(iso), "ISO", "warn|abort|off"},
	{AT(on_deadlock), "ON_DEADLOCK", "exit|abort|hang"},
	{AT(pcs_mode), "PCS_MODE", "lazy|quiesce"},
	{AT(pcs_exit), "PCS_EXIT", "nondet|det|#"},
	{AT(exit), "EXIT", "hold|release"},
	{AT(clamp), "CLAMP", "0|1"},
	{AT(clamp_max), "CLAMP_MAX", "#"},
	{AT(stacks), "STACKS", "#"},
	{AT(delay), "DELAY", "#"},
	{AT(omp), "OMP", "0|1"},
	{AT(state), "STATE", "order|free"},
	{AT(depth), "DEPTH", "#"},
	{AT(stall), "STALL", "#"},
};

static bool fits(const char *value, const char *words)
{
	size_t length = strlen(value);
	for (const char *w = words; w; w = strchr(w, '|') ? strchr(w, '|') + 1 : NULL) {
		size_t n = strcspn(w, "|");
		if (*w == '#' && length > 0 && strspn(value, "0123456789") == length)
			return true;
		if (n == length && strncmp(w, value, n) == 0)
			return true;
	}
	return false;
}

static void set(const char *name, const char *value)
{
	char *variable = xasprintf("HEDDLE_STABLE_%s", name);
	setenv(variable, value, 1);
	free(variable);
}

/* The runtime may be started in another directory by then. */
static int set_path(const char *name, const char *path, struct err *e)
{
	char here[4096];
	if (path[0] != '/' && !getcwd(here, sizeof(here)))
		return err_errno(e, ERR_IO, "the current directory");
	char *whole = path[0] == '/' ? xstrdup(path) : xasprintf("%s/%s", here, path);
	if (strlen(whole) >= 512) {
		free(whole);
		return err_set(e, ERR_USAGE, "the path '%s' is too long", path);
	}
	set(name, whole);
	free(whole);
	return 0;
}

static int set_off(const char *list, struct err *e)
{
	char *copy = xstrdup(list), *state = NULL;
	int rc = 0;
	for (char *w = strtok_r(copy, ",", &state); w; w = strtok_r(NULL, ",", &state)) {
		if (strcmp(w, "soba") == 0)
			set("SOBA", "0");
		else if (strcmp(w, "pcs") == 0)
			set("PCS", "0");
		else
			rc = err_set(e, ERR_USAGE, "--off: '%s' is neither soba nor pcs", w);
	}
	free(copy);
	return rc;
}

static int set_environment(const struct stable_opts *o, struct err *e)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		const char *value = *(const char *const *)((const char *)o + settings[i].at);
		if (!value)
			continue;
		if (!fits(value, settings[i].words))
			return err_set(e, ERR_USAGE, "'%s' is not one of %s", value,
				       settings[i].words);
		set(settings[i].name, value);
	}
	if (o->hash || o->check)
		set("HASH", "1");
	if (o->hash_all)
		set("HASH_ALL", "1");
	if (o->profile)
		set("PROFILE", "1");
	if (o->vtime)
		set("VTIME", "1");
	int rc = o->off ? set_off(o->off, e) : 0;
	if (rc == 0 && o->config)
		rc = fs_exists(o->config)
			     ? set_path("CONF", o->config, e)
			     : err_set(e, ERR_NOT_FOUND, "%s: no such file", o->config);
	if (rc == 0 && o->hints)
		rc = fs_exists(o->hints) ? set_path("HINTS", o->hints, e)
					 : err_set(e, ERR_NOT_FOUND, "%s: no such file", o->hints);
	if (rc == 0 && o->log)
		rc = set_path("LOG", o->log, e);
	return rc;
}

static int show(const char *path)
{
	struct stable_log log;
	struct strbuf text = STRBUF_INIT;
	struct err e = ERR_INIT;
	if (stable_log_open(&log, path, &e) != 0)
		return cli_exit_error("stable show", &e);
	for (size_t i = 0; i < log.op_count; i++) {
		strbuf_clear(&text);
		stable_log_text(log.ops[i], &text);
		puts(text.text);
	}
	printf("hash %016" PRIx64 ", %zu operations%s\n", log.header.hash, log.op_count,
	       log.header.complete ? "" : ", cut short");
	strbuf_free(&text);
	stable_log_close(&log);
	return CLI_CLEAN;
}

/* Prints the first difference; 1 when there is one. */
static int compare(const struct stable_log *a, const struct stable_log *b, FILE *to)
{
	size_t at_b, at_a = stable_log_difference(a, b, false, &at_b);
	struct strbuf text = STRBUF_INIT;
	if (at_a == SIZE_MAX)
		return CLI_CLEAN;
	stable_text_difference(a, b, at_a, at_b, &text);
	fputs(text.text, to);
	strbuf_free(&text);
	return CLI_FINDINGS;
}

static int diff(const char *path_a, const char *path_b)
{
	struct stable_log a, b;
	struct err e = ERR_INIT;
	if (stable_log_open(&a, path_a, &e) != 0)
		return cli_exit_error("stable diff", &e);
	if (stable_log_open(&b, path_b, &e) != 0) {
		stable_log_close(&a);
		return cli_exit_error("stable diff", &e);
	}
	int code = compare(&a, &b, stdout);
	if (code == CLI_CLEAN)
		printf("the schedules are the same: %zu operations, hash %016" PRIx64 "\n",
		       a.op_count, a.header.hash);
	stable_log_close(&a);
	stable_log_close(&b);
	return code;
}

static void print_messages(const struct stable_ctl *ctl, void *argument)
{
	struct stable_opts *o = argument;
	struct strbuf text = STRBUF_INIT;
	stable_text_messages(ctl, &o->shown, &text);
	if (text.length)
		fputs(text.text, stderr);
	strbuf_free(&text);
}

static void print_outcome(struct stable_opts *o, const struct stable_ctl *ctl)
{
	struct strbuf text = STRBUF_INIT;
	if (!o->quiet) {
		stable_text_messages(ctl, &o->shown, &text);
		stable_text_loose(ctl, &text);
	} else if (o->strict) {
		stable_text_loose(ctl, &text);
	}
	if (ctl->flags & STABLE_FLAG_DEADLOCK)
		stable_text_deadlock(ctl, &text);
	if (o->stats)
		stable_text_counters(ctl, &text);
	if (o->profile)
		stable_advice(ctl, &text);
	if (o->hash || o->hash_all)
		stable_text_hash(ctl, &text);
	if (text.length)
		fputs(text.text, stderr);
	strbuf_free(&text);
}

/* The log of this run against the one that was kept. */
static int check_against(const char *kept, const char *made, struct err *e)
{
	struct stable_log a, b;
	int rc = stable_log_open(&a, kept, e);
	if (rc != 0)
		return rc;
	rc = stable_log_open(&b, made, e);
	if (rc == 0) {
		rc = compare(&a, &b, stderr);
		if (rc == CLI_CLEAN)
			fprintf(stderr, "heddle stable: the schedule is the one in %s\n", kept);
		stable_log_close(&b);
	}
	stable_log_close(&a);
	return rc;
}

/* Shadow mode leaves the run alone when nothing is remembered for it. */
static bool runs_natively(const struct stable_opts *o)
{
	return o->memo && o->memo_mode == MEMORY_SHADOW;
}

static int run_program(struct stable_opts *o, char **argv, char *log, struct err *e)
{
	char *dir = fs_self_dir(), *path = NULL;
	char *library = xasprintf("%s/../lib/heddle/libheddle-stable.so", dir);
	struct stable_launch l = {.library = library,
				  .argv = argv,
				  .aslr = o->aslr,
				  .urgent = o->quiet ? NULL : print_messages,
				  .urgent_argument = o};
	int code = CLI_FAILURE;
	struct memory memory = {.cache = o->memo,
				.mode = (enum memory_mode)o->memo_mode,
				.json = o->json,
				.quiet = o->quiet,
				.policy = o->policy,
				.log = o->log};
	int rc = stable_launch_check(argv[0], &path, e);
	if (rc == 0 && !fs_exists(library))
		rc = err_set(e, ERR_NOT_FOUND, "%s is missing", library);
	if (rc == 0 && o->memo)
		rc = memory_before(&memory, path, argv, e);
	if (rc == 0)
		rc = stable_launch_run(&l, path, e);
	if (rc == 0) {
		code = proc_exit_code(l.status);
		/* Reading the program is only worth it to those who rely on the answer. */
		if (o->hash || o->hash_all || o->strict)
			stable_atomics_note(l.ctl);
		print_outcome(o, l.ctl);
		if (o->memo)
			memory_after(&memory, l.ctl, l.status);
		if (!(l.ctl->flags & STABLE_FLAG_STARTED) &&
		    !(o->policy && !strcmp(o->policy, "off")) && !runs_natively(o))
			rc = err_set(e, ERR_GUEST, "%s ran without the runtime", argv[0]);
	}
	if (rc == 0 && o->log && (l.ctl->flags & STABLE_FLAG_LOG_FAILED))
		rc = err_set(e, ERR_IO,
			     "the schedule log %s was not written to its end (the "
			     "program ended with %d)",
			     log, code);
	if (rc == 0 && o->check) {
		rc = check_against(o->check, log, e);
		if (rc > 0)
			code = CLI_FINDINGS;
	}
	if (rc >= 0 && o->strict && code == CLI_CLEAN && stable_text_is_partial(l.ctl))
		code = CLI_INCONCLUSIVE;
	stable_launch_free(&l);
	memory_free(&memory);
	free(path);
	free(library);
	free(dir);
	return rc < 0 ? cli_exit_error("stable", e) : code;
}

/* A check needs a log of this run; without --log it goes to a file that is removed again. */
static int run(struct stable_opts *o, char **argv, struct err *e)
{
	char *name = fs_temporary_pattern("heddle-schedule");
	bool temporary = o->check && !o->log;
	if (temporary) {
		int fd = mkstemp(name);
		if (fd < 0) {
			err_errno(e, ERR_IO, "cannot create %s", name);
			free(name);
			return cli_exit_error("stable", e);
		}
		close(fd);
		o->log = name;
	}
	int code = set_environment(o, e) == 0 ? run_program(o, argv, (char *)o->log, e)
					      : cli_exit_error("stable", e);
	if (temporary)
		unlink(name);
	free(name);
	return code;
}

int cmd_stable_run(int argc, char **argv)
{
	struct stable_opts o = {0};
	struct err e = ERR_INIT;
	int rest;
	if (argc == 4 && strcmp(argv[1], "diff") == 0)
		return diff(argv[2], argv[3]);
	if (argc == 3 && strcmp(argv[1], "show") == 0)
		return show(argv[2]);
	if (argc > 1 && strcmp(argv[1], "memo") == 0)
		return memory_command(argc - 1, argv + 1);
	int rc = cli_options_parse(&options, &o, argc, argv, &rest, &e);
	if (rc == 0 && rest >= argc)
		rc = err_set(&e, ERR_USAGE, "a program is missing (see heddle stable --help)");
	if (rc != 0)
		return cli_exit_options(&options, rc, &e);
	return run(&o, argv + rest, &e);
}
