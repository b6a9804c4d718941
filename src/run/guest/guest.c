#include "run/guest/guest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "run/guest/watch.h"

/* How often the host looks at the process while it waits for an answer. */
#define POLL_NS UINT64_C(20000000)
/* A guest that knows the deadline comes back by itself a little later, with what it has. */
#define SLACK_NS UINT64_C(250000000)

struct run_guest {
	struct run_guest_opts opts;
	struct run_ctl ctl;
	int out_fd;	 /* captured output, -1 when passed through */
	pid_t pid;	 /* 0: no process */
	uint32_t engine; /* of its first job: a process is made for one engine */
	int status;
};

/* Why waiting for the guest ended. */
enum wait_end { WAIT_REACHED, WAIT_DEAD, WAIT_HUNG, WAIT_STOPPED };

/*
 * A descriptor of the same file with an offset of its own: guests that run at the same time read
 * their input independently.  -1 when there is none to reopen.
 */
static int reopen(int fd)
{
	char path[64];
	int own;

	if (fd < 0)
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	own = open(path, O_RDONLY | O_CLOEXEC);
	return own >= 0 ? own : fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

int run_guest_new(const struct run_guest_opts *o, struct run_guest **out, struct err *e)
{
	struct run_guest *g = xcalloc(1, sizeof(*g));
	int rc;

	g->opts = *o;
	g->ctl = (struct run_ctl)RUN_CTL_INIT;
	g->out_fd = -1;
	g->opts.in_fd = reopen(o->in_fd);
	struct run_ctl_sizes sizes = o->sizes;

	sizes.inputs = o->inputs ? o->inputs->count : 0;
	rc = run_ctl_open(&g->ctl, &sizes, e);
	if (rc == 0 && o->inputs)
		run_ctl_feed(&g->ctl, o->inputs->items, o->inputs->count);
	if (rc == 0 && o->trust)
		rc = run_ctl_trust(&g->ctl, o->trust, e);
	if (rc == 0 && o->capture) {
		g->out_fd = memfd_create("heddle-output", MFD_CLOEXEC);
		if (g->out_fd < 0)
			rc = err_errno(e, ERR_IO, "cannot make a file for the program's output");
	}
	if (rc != 0) {
		run_guest_free(g);
		return rc;
	}
	*out = g;
	return 0;
}

void run_guest_free(struct run_guest *g)
{
	if (!g)
		return;
	run_guest_stop(g);
	run_ctl_close(&g->ctl);
	if (g->out_fd >= 0)
		close(g->out_fd);
	if (g->opts.in_fd >= 0)
		close(g->opts.in_fd);
	free(g);
}

const struct run_ctl *run_guest_ctl(const struct run_guest *g)
{
	return &g->ctl;
}

const struct limit *run_guest_limit(struct run_guest *g, const struct limit *limit)
{
	const struct limit *before = g->opts.limit;

	g->opts.limit = limit;
	return before;
}

void run_guest_stop(struct run_guest *g)
{
	if (g->pid == 0)
		return;
	run_watch_kill(g->pid, g->opts.capture, &g->status);
	g->pid = 0;
}

static void rewind_output(struct run_guest *g)
{
	if (g->out_fd < 0)
		return;
	/* The descriptors of the program share our file offset. */
	if (ftruncate(g->out_fd, 0) != 0 || lseek(g->out_fd, 0, SEEK_SET) != 0)
		log_info(LOG_RUN, "cannot rewind the captured output: %s", strerror(errno));
}

static int spawn(struct run_guest *g, bool stopped, struct err *e)
{
	struct run_launch l = {
		.program = g->opts.program,
		.ctl_fd = g->ctl.fd,
		.in_fd = g->opts.in_fd,
		.out_fd = g->out_fd,
		.own_group = g->opts.capture,
		.stopped = stopped,
	};
	int rc;

	rewind_output(g);
	if (g->opts.in_fd >= 0)
		lseek(g->opts.in_fd, 0, SEEK_SET);
	rc = run_launch_spawn(&l, &g->pid, e);
	if (rc != 0)
		g->pid = 0;
	return rc;
}

static bool has_died(struct run_guest *g)
{
	pid_t pid = waitpid(g->pid, &g->status, WNOHANG);

	if (pid == 0 || (pid < 0 && errno == EINTR))
		return false;
	/* What it may have left behind in its group goes with it. */
	if (g->opts.capture)
		kill(-g->pid, SIGKILL);
	g->pid = 0;
	return true;
}

static bool must_stop(const struct run_guest *g)
{
	struct limit later = limit_after(g->opts.limit, SLACK_NS);

	return limit_reached(&later) != LIMIT_NONE;
}

/* Waits until the guest is in state `goal', or until the process is gone when goal is QUIT. */
static enum wait_end wait_for(struct run_guest *g, enum wire_state goal)
{
	struct run_watch watch;

	run_watch_begin(&watch, &g->ctl, g->opts.hang_ns);
	for (;;) {
		uint32_t state = run_ctl_state(&g->ctl);

		if (state == goal)
			return WAIT_REACHED;
		if (has_died(g))
			return run_ctl_state(&g->ctl) == (uint32_t)goal ? WAIT_REACHED : WAIT_DEAD;
		if (must_stop(g))
			return WAIT_STOPPED;
		if (run_watch_expired(&watch, &g->ctl))
			return WAIT_HUNG;
		run_ctl_wait(&g->ctl, state, POLL_NS);
	}
}

static void explain_hang(struct run_guest *g, struct run_result *r)
{
	struct strbuf what = STRBUF_INIT;

	run_watch_describe(g->pid, &what);
	run_guest_stop(g);
	run_result_set(r, RUN_HUNG, "no progress for %.3g s: %s", (double)g->opts.hang_ns / 1e9,
		       what.text);
	strbuf_free(&what);
}

static void finish(struct run_guest *g, enum wait_end end, struct run_result *r)
{
	switch (end) {
	case WAIT_REACHED:
		run_result_take(r, &g->ctl);
		break;
	case WAIT_DEAD:
		run_result_died(r, &g->ctl, g->status);
		break;
	case WAIT_HUNG:
		explain_hang(g, r);
		break;
	case WAIT_STOPPED:
		run_guest_stop(g);
		run_result_stopped(r, &g->ctl, limit_text(limit_reached(g->opts.limit)));
		break;
	}
	run_result_read_output(r, g->out_fd);
}

/* The first line the program printed: the dynamic linker complains there, for instance. */
static int failed_to_start(struct run_result *r, struct err *e)
{
	const char *said = r->output ? r->output : "";
	int length = (int)strcspn(said, "\n");

	return err_set(e, ERR_GUEST, "%s%s%.*s", r->reason, length ? ": " : "", length, said);
}

/* Starts the program and waits for READY.  1: a verdict is in r already. */
static int start(struct run_guest *g, struct run_result *r, struct err *e)
{
	enum wait_end end;
	int rc;

	run_ctl_rewind(&g->ctl);
	rc = spawn(g, false, e);
	if (rc != 0)
		return rc;
	end = wait_for(g, STATE_READY);
	if (end == WAIT_REACHED)
		return 0;
	finish(g, end, r);
	return end == WAIT_DEAD ? failed_to_start(r, e) : 1;
}

static int job_once(struct run_guest *g, const struct wire_job *job,
		    const struct wire_choice *follow, struct run_result *r, struct err *e)
{
	enum wait_end end;
	uint32_t state;
	int rc;

	run_guest_stop(g);
	run_ctl_rewind(&g->ctl);
	rc = run_ctl_set_job(&g->ctl, job, follow, e);
	if (rc == 0)
		rc = spawn(g, false, e);
	if (rc != 0)
		return rc;
	end = wait_for(g, STATE_QUIT); /* never set by a guest: waits for the end of the process */
	state = run_ctl_state(&g->ctl);
	if (state == STATE_DONE && end != WAIT_STOPPED) {
		run_guest_stop(g);
		end = WAIT_REACHED;
	}
	finish(g, end, r);
	return end == WAIT_DEAD && state == STATE_STARTING ? failed_to_start(r, e) : 0;
}

int run_guest_job(struct run_guest *g, const struct wire_job *job, const struct wire_choice *follow,
		  struct run_result *r, struct err *e)
{
	int rc = 0;

	if (must_stop(g)) {
		run_result_set(r, RUN_STOPPED, "%s", limit_text(limit_reached(g->opts.limit)));
		return 0;
	}
	if (job->flags & JOB_ONCE)
		return job_once(g, job, follow, r, e);
	if (g->pid != 0 && has_died(g))
		log_info(LOG_RUN, "the guest died between two jobs");
	if (g->pid != 0 && g->engine != job->engine)
		run_guest_stop(g);
	g->engine = job->engine;
	if (g->pid == 0)
		rc = start(g, r, e);
	if (rc != 0)
		return rc > 0 ? 0 : rc;
	rewind_output(g);
	rc = run_ctl_set_job(&g->ctl, job, follow, e);
	if (rc != 0)
		return rc;
	run_ctl_set_state(&g->ctl, STATE_JOB);
	finish(g, wait_for(g, STATE_DONE), r);
	return 0;
}

int run_guest_start_stopped(struct run_guest *g, const struct wire_job *job,
			    const struct wire_choice *follow, pid_t *pid, struct err *e)
{
	int rc;

	run_guest_stop(g);
	run_ctl_rewind(&g->ctl);
	rc = run_ctl_set_job(&g->ctl, job, follow, e);
	if (rc == 0)
		rc = spawn(g, true, e);
	*pid = g->pid;
	g->pid = 0;
	return rc;
}
