/* heddle-hunt asked, its answers run. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/proc.h"
#include "cli/hunt/run.h"
#include "cli/version.h"
#include "explore/policy/search.h"
#include "hunt/message.h"
#include "run/confirm/confirm.h"
#include "run/guest/keep.h"

#define MAX_CHOICES (1u << 24)
#define MAX_TRIED 100000

#define LATE_NS UINT64_C(3000000000) /* it ends by itself before */

struct helper {
	pid_t pid;
	int to, from;
	struct limit limit; /* of what it is given */
	bool late;
};

/* ---- findings ---- */

bool cli_hunt_take(struct cli_hunt *h, struct run_guest *guest, const struct run_finding *f,
		   struct cli_hunt_found like)
{
	struct cli_finding ctx = {
		.exec = &h->exec, .out = &h->out, .guest = guest, .simplify = true};
	struct cli_hunt_found *found;
	struct err why = ERR_INIT;

	for (size_t i = 0; i < h->found.count; i++)
		if (h->found.items[i]->key == f->key)
			return true;
	ctx.note = "a failure that no run had shown, found by heddle hunt";
	ctx.inputs = h->inputs.count ? h->first_name : NULL;
	found = xcalloc(1, sizeof(*found));
	*found = like;
	found->key = f->key;
	if (cli_finding_keep(&ctx, f, &found->kept, &why) != 0) {
		h->unconfirmed++;
		free(found);
		return false;
	}
	vec_push(&h->found, found);
	return true;
}

int cli_hunt_keep_passing(struct cli_hunt *h, struct run_guest *guest, const struct run_result *r,
			  const struct wire_job *job, struct err *e)
{
	const char *inputs = h->inputs.count ? h->first_name : NULL;
	struct run_keep what = {&h->exec.program, HEDDLE_VERSION, job, r, inputs};
	char *name = xasprintf("%s-passing", h->first.meta.program);
	struct trace_bundle b = {0};
	struct cli_out out;
	int rc;

	assert(h->found.count);
	rc = cli_out_init(&out, h->out.dir, name, e);
	free(name);
	if (rc != 0)
		return rc;
	rc = run_keep(&b, guest, &what, e);
	if (rc == 0)
		vec_push(&b.notes,
			 xstrdup("the run that passed from which heddle hunt derived a failure"));
	if (rc == 0)
		rc = cli_out_write(&out, &b, &vec_last(&h->found)->passing, e);
	trace_bundle_fini(&b);
	cli_out_fini(&out);
	return rc;
}

/* The schedule has to fail, or it is worth nothing. */
static int try_schedule(struct cli_hunt *h, struct run_guest *guest, const struct hunt_message *m,
			const struct wire_choice *choices, bool *fails, struct err *e)
{
	struct run_again again = {.engine = &h->exec.engine, .guest = guest, .job = h->exec.job};
	struct run_finding f = {.count = 1, .result = RUN_RESULT_INIT};
	struct cli_hunt_found like = {
		.tries = m->tries, .synthesised = m->synthesised, .flips = m->flips};
	int rc;

	again.job.model = MODEL_SC;
	rc = run_again(&again, JOB_EVENTS | JOB_WISH, choices, m->choices, &f.result, e);
	*fails = false;
	if (rc == 0 && f.result.verdict == RUN_FAILURE) {
		f.key = run_result_key(&f.result);
		f.job = again.job;
		*fails = cli_hunt_take(h, guest, &f, like);
	}
	run_result_free(&f.result);
	return rc;
}

/* ---- the helper ---- */

static int start(struct helper *p, char **argv, struct err *e)
{
	int to[2], from[2];

	if (pipe2(to, O_CLOEXEC) != 0)
		return err_errno(e, ERR_IO, "cannot make a pipe");
	if (pipe2(from, O_CLOEXEC) != 0) {
		close(to[0]);
		close(to[1]);
		return err_errno(e, ERR_IO, "cannot make a pipe");
	}
	p->pid = fork();
	if (p->pid == 0) {
		dup2(to[0], 0);
		dup2(from[1], 1);
		execv(argv[0], argv);
		_exit(127);
	}
	close(to[0]);
	close(from[1]);
	p->to = to[1];
	p->from = from[0];
	if (p->pid > 0)
		return 0;
	close(p->to);
	close(p->from);
	return err_errno(e, ERR_IO, "cannot start %s", argv[0]);
}

/* Waits for what it says; one that does not end when its time is up is ended. */
static void wait_for(struct helper *p)
{
	struct pollfd fd = {.fd = p->from, .events = POLLIN};
	uint64_t now = limit_now(), end = p->limit.end_ns;

	if (!end || p->late)
		return;
	if (end <= now || poll(&fd, 1, (int)((end - now) / 1000000 % INT_MAX) + 1) == 0) {
		p->late = true;
		kill(p->pid, SIGKILL);
	}
}

/* False at the end; an interrupt by the user is passed on once. */
static bool read_bytes(struct helper *p, void *to, size_t n)
{
	char *at = to;

	while (n) {
		ssize_t got;

		wait_for(p);
		got = read(p->from, at, n);
		if (got < 0 && errno == EINTR) {
			if (cli_exec_stop)
				kill(p->pid, SIGTERM);
			continue;
		}
		if (got <= 0)
			return false;
		at += got;
		n -= (size_t)got;
	}
	return true;
}

/* The schedule behind a message; the caller frees it. */
static int read_choices(struct helper *p, const struct hunt_message *m, struct wire_choice **out,
			struct err *e)
{
	*out = NULL;
	if (m->choices > MAX_CHOICES)
		return err_set(e, ERR_FORMAT, "heddle-hunt gave an answer that makes no sense");
	*out = xcalloc(m->choices + 1, sizeof(**out));
	if (read_bytes(p, *out, m->choices * sizeof(**out)))
		return 0;
	return err_set(e, ERR_TOOL, "heddle-hunt ended early");
}

static int answer(struct helper *p, struct cli_hunt *h, struct run_guest *guest,
		  const struct hunt_message *m, struct err *e)
{
	struct wire_choice *choices;
	bool fails = false;
	char byte;
	int rc = read_choices(p, m, &choices, e);

	if (rc == 0)
		rc = try_schedule(h, guest, m, choices, &fails, e);
	byte = fails;
	if (rc == 0 && fs_write_all(p->to, &byte, 1) != 0)
		rc = err_set(e, ERR_TOOL, "heddle-hunt ended early");
	free(choices);
	return rc;
}

/* The run that the last failure came from, run under control and kept when it passes. */
static int take_passing(struct helper *p, struct cli_hunt *h, struct run_guest *guest,
			const struct hunt_message *m, struct err *e)
{
	struct run_again again = {.engine = &h->exec.engine, .guest = guest, .job = h->exec.job};
	struct run_result r = RUN_RESULT_INIT;
	struct wire_choice *choices;
	int rc = read_choices(p, m, &choices, e);

	again.job.model = MODEL_SC;
	if (rc == 0)
		rc = run_again(&again, JOB_EVENTS | JOB_WISH, choices, m->choices, &r, e);
	if (rc == 0 && r.verdict == RUN_CLEAN && h->found.count)
		rc = cli_hunt_keep_passing(h, guest, &r, &again.job, e);
	run_result_free(&r);
	free(choices);
	return rc;
}

static int listen(struct helper *p, struct cli_hunt *h, struct run_guest *guest, struct err *e)
{
	struct hunt_message m;
	int rc = 0;

	while (rc == 0) {
		if (!read_bytes(p, &m, sizeof(m))) {
			snprintf(h->trouble, sizeof(h->trouble), "%s",
				 p->late ? "a path took longer than there was time"
					 : "heddle-hunt ended early");
			return 0;
		}
		m.what[sizeof(m.what) - 1] = '\0';
		if (m.magic != HUNT_MAGIC)
			return err_set(e, ERR_FORMAT,
				       "heddle-hunt gave an answer that makes no "
				       "sense");
		if (m.says == HUNT_SAYS_DONE)
			break;
		if (m.says == HUNT_SAYS_TRIED) {
			if (h->tried.count < MAX_TRIED)
				vec_push(&h->tried, xstrdup(m.what));
			continue;
		}
		rc = m.says == HUNT_SAYS_PASSES ? take_passing(p, h, guest, &m, e)
						: answer(p, h, guest, &m, e);
	}
	h->counts = m.counts;
	h->counts.reason[sizeof(m.counts.reason) - 1] = '\0';
	h->counts.place[sizeof(m.counts.place) - 1] = '\0';
	if (rc == 0 && m.failed)
		snprintf(h->trouble, sizeof(h->trouble), "%s", m.what);
	return rc;
}

static uint64_t time_left(const struct cli_hunt *h)
{
	uint64_t now = limit_now(), end = h->exec.limit.end_ns;

	if (!end)
		return UINT64_C(1000000000) * 86400 * 365;
	/* Some of it is for executions under control. */
	return end > now ? (end - now) / 4 * 3 + 1 : 1;
}

int cli_hunt_paths(struct cli_hunt *h, struct run_guest *guest, struct err *e)
{
	char *here = fs_self_dir(), *tool = fs_join(here, "heddle-hunt");
	char flips[16], traces[16], time[32], build[32], jobs[16];
	VEC(char *) argv = VEC_INIT;
	uint64_t ns = time_left(h);
	struct helper p = {.limit = limit_within(NULL, ns + LATE_NS)};
	int rc, status;

	snprintf(flips, sizeof(flips), "%" PRIu32, h->max_flips);
	snprintf(traces, sizeof(traces), "%" PRIu32, h->max_traces);
	snprintf(jobs, sizeof(jobs), "%" PRIu32, h->jobs);
	snprintf(time, sizeof(time), "%" PRIu64, ns);
	snprintf(build, sizeof(build), "%" PRIx64, h->build);
	for (char **w = (char *[]){tool, h->program, h->store, flips, traces, time, build,
				   (char *)(h->published ? "published" : "feasible"), jobs, NULL};
	     *w; w++)
		vec_push(&argv, *w);
	for (size_t i = 0; i < h->names.count; i++)
		vec_push(&argv, h->names.items[i]);
	for (size_t i = 0; i < h->failing.count; i++)
		vec_push(&argv, h->failing.items[i]);
	vec_push(&argv, NULL);
	rc = start(&p, argv.items, e);
	if (rc == 0) {
		rc = listen(&p, h, guest, e);
		close(p.to);
		close(p.from);
		if (rc != 0)
			kill(p.pid, SIGKILL);
		while (waitpid(p.pid, &status, 0) < 0 && errno == EINTR)
			continue;
	}
	vec_free(&argv);
	free(tool);
	free(here);
	return rc;
}

/* ---- every behaviour ---- */

int cli_hunt_search(struct cli_hunt *h, struct run_guest *guest, struct err *e)
{
	struct check_result *r = xcalloc(1, sizeof(*r));
	struct check_opts o = {.engine = &h->exec.engine,
			       .guest = guest,
			       .job = h->exec.job,
			       .all = true,
			       .preemptions = -1,
			       .limit = &h->exec.limit};
	struct cli_hunt_found like = {
		.tries = h->counts.tries, .synthesised = h->counts.synthesised, .by_search = true};
	int rc = check_search(&o, r, e);

	if (rc == 0) {
		h->searched = true;
		h->may_spur = r->may_spur;
		for (size_t i = 0; i < r->findings.count; i++)
			cli_hunt_take(h, guest, r->findings.items[i], like);
		/* What it read from outside may be different another time. */
		h->exhaustive = r->complete && !r->input && !r->unconfirmed;
		snprintf(h->search_why, sizeof(h->search_why), "%s",
			 r->complete && r->input ? "it reads from outside" : r->reason);
	}
	check_result_fini(r);
	free(r);
	return rc;
}
