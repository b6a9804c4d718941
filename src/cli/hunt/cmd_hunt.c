/* heddle hunt: a failure that has not happened yet, from runs that passed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "model/memory_model.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/hunt/run.h"
#include "cli/print.h"
#include "cli/reproduce/run.h"
#include "report/json.h"
#include "report/term.h"

struct hunt_opts {
	struct cli_exec_opts exec;
	uint64_t runs, flips, traces, jobs;
	int method, order, model;
	const char *out;
	bool json;
};

#define AT(field) offsetof(struct hunt_opts, field)

static const struct cli_option table[] = {
	{0, "runs", OPTION_UINT, AT(runs), "100", 1, 1000000, "N",
	 "record so many runs of the program first"},
	{'D', "flips", OPTION_UINT, AT(flips), "0", 0, 1000, "N",
	 "at most so many branches go another way than in a recorded run; 0: no bound"},
	{'N', "traces", OPTION_UINT, AT(traces), "0", 0, 1000, "N",
	 "at most so many paths where a branch has several other ways; 0: all"},
	{0, "method", OPTION_CHOICE, AT(method), "auto", 0, 0, "auto|paths",
	 "auto: what paths do not decide is left to executions under control"},
	{0, "model", OPTION_CHOICE, AT(model), "sc", 0, 0, MODEL_MEMORY_CHOICES,
	 "sc: memory is sequentially consistent; nothing else is known here (heddle check knows "
	 "more)"},
	{0, "order", OPTION_CHOICE, AT(order), "feasible", 0, 0, "feasible|published",
	 "feasible: only branches that some order sends the other way are flipped; published: "
	 "those "
	 "nearest to an assertion, one, two, ... at once"},
	{'j', "jobs", OPTION_UINT, AT(jobs), "1", 1, 256, "N",
	 "processes that answer questions about one combination at the same time"},
	{'t', "time", OPTION_DURATION, AT(exec.time_ns), "60", 0, 0, "TIME",
	 "end after so long, whatever is under way; 0: no limit"},
	{'o', "output", OPTION_STRING, AT(out), CLI_OUT_DEFAULT, 0, 0, "DIR",
	 "directory for bundles, recordings and what was proved"},
	{0, "max-steps", OPTION_UINT, AT(exec.max_steps), "1000000", 0, UINT64_C(1000000000000),
	 "N", "end a run under control after so many scheduling steps; 0: no limit"},
	{0, "json", OPTION_FLAG, AT(json), NULL, 0, 0, NULL, "report as JSON"},
	CLI_EXEC_ENGINE(struct hunt_opts),
	{0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL},
};

static const struct cli_options options = {
	.command = "hunt",
	.operands = "PROGRAM [ARGUMENT...] | DIRECTORY",
	.about = "Takes the paths of runs that passed (recorded now, or recordings in a directory) "
		 "and looks for a schedule, and for branches that go another way, with which an "
		 "assertion fails; what it reports was really run. Exit code 1: found, 0: every "
		 "assertion holds for the paths seen and all flips within the bounds, 4: not all "
		 "of it is decided.",
	.table = table,
};

struct hunt {
	struct hunt_opts opts;
	struct cli_hunt x;
	uint64_t begin_ns;
};

/* ---- getting ready ---- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The program of the recordings, ready to be run under control with their input. */
static int prepare(struct hunt *p, struct err *e)
{
	struct cli_hunt *h = &p->x;
	const struct trace_recording *r = &h->first;
	int rc = cli_reproduce_program(r, h->dir, &h->program, e);

	if (rc == 0)
		rc = cli_reproduce_stdin(r, h->dir, &h->input, e);
	if (rc != 0)
		return rc;
	p->opts.exec.stdin_path = h->input ? h->input : "/dev/null";
	rc = cli_exec_prepare(&h->exec, "hunt", &p->opts.exec, true, e);
	if (rc != 0)
		return rc;
	h->exec.limit = h->limit;
	run_program_set(&h->exec.program, h->program, r->meta.cwd);
	run_program_set_argv(&h->exec.program, r->meta.argv.items, r->meta.argv.count);
	run_program_set_envp(&h->exec.program, r->meta.environ.items, r->meta.environ.count);
	run_inputs_make(&h->inputs, r);
	if (h->inputs.count)
		h->exec.guest.inputs = &h->inputs;
	h->exec.job = (struct wire_job){.runs = 1, .max_steps = p->opts.exec.max_steps, .seed = 1};
	rc = run_program_check(&h->exec.program, e);
	if (rc == 0)
		rc = cli_out_init(&h->out, p->opts.out, r->meta.program, e);
	return rc;
}

static int collect(struct hunt *p, char **words, struct err *e)
{
	struct cli_hunt *h = &p->x;
	bool is_dir = fs_is_dir(words[0]);
	char *name = xstrdup(words[0]);
	struct cli_out place; /* beside the bundles, whatever they are called */
	int rc;

	for (size_t n = strlen(name); n > 1 && name[n - 1] == '/'; n--)
		name[n - 1] = '\0';
	rc = cli_out_init(&place, p->opts.out, name, e);
	if (rc == 0) {
		h->dir = xasprintf("%s/%s.hunt", place.dir, base_name(name));
		h->store = fs_join(h->dir, "runs.db");
	}
	cli_out_fini(&place);
	free(name);
	if (rc != 0)
		return rc;
	if (is_dir && words[1])
		return err_set(e, ERR_USAGE, "'%s' is one word too many", words[1]);
	return is_dir ? cli_hunt_gather(h, words[0], e)
		      : cli_hunt_record(h, p->opts.runs, words, e);
}

/* Everything that paths leave open is left to executions under control. */
static bool all_proved(const struct cli_hunt *h)
{
	return h->counts.complete && !h->counts.undecided && !h->counts.blocking &&
	       !h->counts.reuse && !h->counts.outside && !h->trouble[0] && !h->unconfirmed;
}

static int hunt(struct hunt *p, struct err *e)
{
	struct cli_hunt *h = &p->x;
	struct run_guest *guest = NULL;
	int rc = prepare(p, e);

	if (rc == 0)
		rc = run_guest_new(&h->exec.guest, &guest, e);
	if (rc == 0)
		rc = cli_hunt_paths(h, guest, e);
	/*
	 * Also when paths decided everything: what calls outside return may depend on the schedule
	 * (numbers of descriptors), and objects may end that the executor keeps.
	 */
	if (rc == 0 && p->opts.method == 0 && !h->found.count &&
	    limit_reached(&h->exec.limit) == LIMIT_NONE)
		rc = cli_hunt_search(h, guest, e);
	run_guest_free(guest);
	return rc;
}

/* ---- words ---- */

static int exit_code_of(const struct cli_hunt *h)
{
	if (h->found.count)
		return CLI_FINDINGS;
	if (!h->names.count)
		return CLI_INCONCLUSIVE;
	/* A run that failed is not explained away by what was proved. */
	return h->exhaustive && !h->failed ? CLI_CLEAN : CLI_INCONCLUSIVE;
}

static uint64_t undecided_of(const struct cli_hunt *h)
{
	if (exit_code_of(h) == CLI_CLEAN)
		return 0;
	/* What was not even asked about is one thing at least. */
	return h->counts.undecided + (h->counts.undecided == 0);
}

static void say_open(const struct cli_hunt *h, struct strbuf *to)
{
	const struct hunt_counts *c = &h->counts;

	if (h->trouble[0])
		strbuf_addf(to, "paths could not be searched: %s", h->trouble);
	else if (c->undecided)
		strbuf_addf(to, "%" PRIu64 " questions are not decided, the first one: %s%s%s%s",
			    c->undecided, c->reason, c->place[0] ? " (" : "", c->place,
			    c->place[0] ? ")" : "");
	else if (h->failed && (all_proved(h) || h->exhaustive))
		strbuf_add(to, "a recorded run failed, and nothing that was looked at fails");
	else if (!c->complete && h->published)
		strbuf_add(to, "the published order leaves out branches further away");
	else if (!c->complete)
		strbuf_add(to, "time was up before all combinations of paths were looked at");
	else if (c->blocking)
		strbuf_add(to,
			   "threads may wait for each other for ever, which paths do not decide");
	else if (c->outside)
		strbuf_add(to, "something is accessed where no variable and no block lies, which "
			       "paths do not decide");
	else if (c->reuse)
		strbuf_add(to, "memory that several threads use is given back, which paths do not "
			       "decide");
	else
		strbuf_add(to, "no order of the paths fails, which is no proof by itself");
	if (h->searched && !h->exhaustive)
		strbuf_addf(to, "; executions under control did not see everything: %s",
			    h->search_why);
	else if (!h->searched)
		strbuf_add(to, "; executions under control were not asked");
}

static void say_result(const struct cli_hunt *h, struct strbuf *to)
{
	int code = exit_code_of(h);

	if (code == CLI_FINDINGS) {
		strbuf_addf(to, "%zu failure%s that no run had shown", h->found.count,
			    h->found.count == 1 ? "" : "s");
	} else if (code == CLI_CLEAN) {
		strbuf_addf(to,
			    "every assertion holds under every schedule of sequentially consistent "
			    "memory%s",
			    h->max_flips ? " within the bounds" : "");
		if (!h->counts.assertions)
			strbuf_add(to, " (none of the program's own was in reach; null and wild "
				       "pointers, division by zero and the like were)");
	} else if (!h->names.count) {
		strbuf_add(to, "inconclusive: there is no run that passed");
	} else {
		strbuf_add(to, "inconclusive: ");
		say_open(h, to);
	}
	strbuf_addf(to, "; %zu distinct of %" PRIu64 " runs", h->names.count, h->recorded);
	if (h->failed)
		strbuf_addf(to, " (%" PRIu64 " failed: heddle reproduce %s)", h->failed,
			    h->failing.count ? h->failing.items[0] : "RECORDING");
	if (h->others)
		strbuf_addf(to, " (%" PRIu64 " not used: %s)", h->others, h->other_why);
	strbuf_addf(to,
		    ", %" PRIu64 " combinations of paths, %" PRIu64 " tries, %" PRIu64 " proved",
		    h->counts.combinations, h->counts.tries, h->counts.proved);
	if (h->exhaustive)
		strbuf_add(to, ", every behaviour looked at under control");
	if (h->may_spur)
		strbuf_add(to, "; spurious wake-ups not considered");
}

/* Of an exception that nobody caught it is known only what its thread did last. */
static uint32_t place_of(const struct trace_bundle *b)
{
	const struct wire_failure *f = &b->outcome.failure;
	uint32_t site = f->site;

	for (size_t i = b->events.count; i-- > 0 && !trace_sites_find(&b->sites, site);)
		if (b->events.items[i].tid == f->tid)
			site = b->events.items[i].site;
	return site;
}

static void add_found(struct json_out *j, const struct cli_hunt_found *f)
{
	const struct trace_bundle *b = &f->kept.bundle;

	json_out_object_begin(j, NULL);
	report_json_site(j, "assertion", b, place_of(b));
	report_json_failure(j, "failure", b);
	json_out_string(j, "bundle", f->kept.path);
	if (f->passing)
		json_out_string(j, "passing", f->passing);
	json_out_uint(j, "tries", f->tries);
	json_out_uint(j, "flips", f->flips);
	json_out_uint(j, "synthesised", f->synthesised);
	json_out_bool(j, "schedule_only", f->flips == 0 && !f->by_search);
	json_out_string(j, "method", f->by_search ? "search" : "paths");
	json_out_object_end(j);
}

/* Each combination of the published order: what was flipped, where the paths come from. */
static void add_tried(struct json_out *j, const struct cli_hunt *h)
{
	static const char *const keys[] = {"source", "result", "paths"};

	json_out_array_begin(j, "tried");
	for (size_t i = 0; i < h->tried.count; i++) {
		char *line = xstrdup(h->tried.items[i]), *rest = line;
		char *flips = strsep(&rest, "\t"), *flip;

		json_out_object_begin(j, NULL);
		json_out_array_begin(j, "flips");
		while ((flip = strsep(&flips, ",")) && *flip)
			json_out_string(j, NULL, flip);
		json_out_array_end(j);
		for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
			char *word = strsep(&rest, "\t");

			json_out_string(j, keys[k], word ? word : "");
		}
		json_out_object_end(j);
		free(line);
	}
	json_out_array_end(j);
}

static void print_json(const struct hunt *p, const struct cli_answer *answer)
{
	const struct cli_hunt *h = &p->x;
	struct strbuf to = STRBUF_INIT;
	struct json_out j;

	json_out_init(&j, &to);
	json_out_object_begin(&j, NULL);
	json_out_string(&j, "command", "hunt");
	json_out_array_begin(&j, "found");
	for (size_t i = 0; i < h->found.count; i++)
		add_found(&j, h->found.items[i]);
	json_out_array_end(&j);
	json_out_string(&j, "model", "sc");
	if (h->published)
		add_tried(&j, h);
	json_out_uint(&j, "distinct_runs", h->names.count);
	json_out_uint(&j, "runs", h->recorded);
	json_out_uint(&j, "failed_runs", h->failed);
	json_out_uint(&j, "proved", h->counts.proved);
	json_out_uint(&j, "known", h->counts.known);
	json_out_uint(&j, "undecided", undecided_of(h));
	json_out_uint(&j, "assertions", h->counts.assertions);
	json_out_uint(&j, "combinations", h->counts.combinations);
	json_out_uint(&j, "tries", h->counts.tries);
	json_out_uint(&j, "synthesised", h->counts.synthesised);
	json_out_uint(&j, "questions", h->counts.questions);
	json_out_uint(&j, "together", h->counts.together);
	json_out_bool(&j, "complete", all_proved(h));
	json_out_bool(&j, "exhaustive", h->exhaustive);
	json_out_string(&j, "store", h->store);
	json_out_real(&j, "solve_seconds", (double)h->counts.solve_ns / 1e9);
	json_out_real(&j, "execute_seconds", (double)h->counts.execute_ns / 1e9);
	cli_print_json_end(answer, &j, &to);
	fputs(to.text, stdout);
	strbuf_free(&to);
}

static void print_text(const struct hunt *p, const struct cli_answer *answer)
{
	VEC(const struct cli_kept *) kept = VEC_INIT;

	for (size_t i = 0; i < p->x.found.count; i++)
		vec_push(&kept, &p->x.found.items[i]->kept);
	cli_print_answer(answer, kept.items, kept.count);
	vec_free(&kept);
	for (size_t i = 0; i < p->x.found.count; i++)
		if (p->x.found.items[i]->passing)
			printf("beside the run it came from: heddle explain --beside=%s %s\n",
			       p->x.found.items[i]->passing, p->x.found.items[i]->kept.path);
}

static int finish(struct hunt *p)
{
	struct strbuf text = STRBUF_INIT;
	struct err e = ERR_INIT;
	int code = exit_code_of(&p->x);
	struct cli_answer answer = {.command = "hunt", .exit_code = code, .begin_ns = p->begin_ns};

	say_result(&p->x, &text);
	answer.text = text.text;
	if (p->opts.json)
		print_json(p, &answer);
	else
		print_text(p, &answer);
	strbuf_free(&text);
	if (fs_finish_output(stdout, "standard output", &e) != 0)
		return cli_exit_error("hunt", &e);
	return code;
}

static void end(struct hunt *p)
{
	struct cli_hunt *h = &p->x;

	for (size_t i = 0; i < h->found.count; i++) {
		cli_kept_fini(&h->found.items[i]->kept);
		free(h->found.items[i]->passing);
		free(h->found.items[i]);
	}
	for (size_t i = 0; i < h->names.count; i++)
		free(h->names.items[i]);
	for (size_t i = 0; i < h->failing.count; i++)
		free(h->failing.items[i]);
	vec_free(&h->failing);
	vec_free(&h->found);
	vec_free(&h->names);
	for (size_t i = 0; i < h->tried.count; i++)
		free(h->tried.items[i]);
	vec_free(&h->tried);
	vec_free(&h->inputs);
	trace_recording_fini(&h->first);
	cli_out_fini(&h->out);
	if (h->exec.command)
		cli_exec_end(&h->exec);
	free(h->dir);
	free(h->store);
	free(h->program);
	free(h->input);
	free(h->first_name);
}

int cmd_hunt_run(int argc, char **argv)
{
	struct hunt p = {.opts = {.exec = CLI_EXEC_OPTS_INIT},
			 .begin_ns = limit_now(),
			 .x = {.first = TRACE_RECORDING_INIT}};
	struct err e = ERR_INIT;
	int rest, rc = cli_options_parse(&options, &p.opts, argc, argv, &rest, &e);

	if (rc == 0 && rest >= argc)
		rc = err_set(&e, ERR_USAGE,
			     "a program or a directory is missing (see heddle hunt --help)");
	if (rc == 0 && p.opts.model != 0)
		rc = err_set(&e, ERR_USAGE,
			     "only sequentially consistent memory is known here; heddle check "
			     "--model=%s looks at every behaviour of that one",
			     p.opts.model == 1 ? "tso" : "pso");
	if (rc != 0)
		return cli_exit_options(&options, rc, &e);
	p.x.max_flips = (uint32_t)p.opts.flips;
	p.x.max_traces = (uint32_t)p.opts.traces;
	p.x.jobs = (uint32_t)p.opts.jobs;
	p.x.published = p.opts.order == 1;
	p.x.limit = cli_exec_interruptible();
	p.x.limit = limit_within(&p.x.limit, p.opts.exec.time_ns);
	rc = collect(&p, argv + rest, &e);
	if (rc == 0 && p.x.first_name)
		rc = hunt(&p, &e);
	else if (rc == 0 && !p.x.recorded && !p.x.others)
		rc = err_set(&e, ERR_NOT_FOUND, "%s has no recordings in it", argv[rest]);
	rc = rc == 0 ? finish(&p) : cli_exit_error("hunt", &e);
	end(&p);
	return rc;
}
