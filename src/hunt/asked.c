#include "hunt/asked.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"

#define LOOK_MS 50 /* after so long it is looked whether there is still time */

/* An answer on its way to who asked; the choices of the schedule follow. */
struct answer {
	uint64_t index, choices;
	uint64_t took_ns, value, rounds, events;
	enum solve_answer answer;
	char reason[sizeof(((struct hunt_reply *)0)->reason)];
};

struct worker {
	pid_t pid;
	int from;
};

static void ask_one(const struct hunt_exec *x, const struct hunt_ask_opts *o, struct hunt_asked *a)
{
	struct limit limit = limit_within(o->limit, o->question_ns);
	uint64_t begin = limit_now();

	a->q.limit = &limit;
	hunt_ask(x, &a->q, &a->r);
	a->q.limit = NULL;
	a->took_ns = limit_now() - begin;
}

/* ---- in the process ---- */

static int send_one(int to, size_t index, const struct hunt_asked *a)
{
	struct answer m = {.index = index,
			   .choices = a->r.schedule.count,
			   .took_ns = a->took_ns,
			   .value = a->r.value,
			   .rounds = a->r.rounds,
			   .events = a->r.events,
			   .answer = a->r.answer};

	snprintf(m.reason, sizeof(m.reason), "%s", a->r.reason);
	if (fs_write_all(to, &m, sizeof(m)) != 0)
		return -1;
	return fs_write_all(to, a->r.schedule.items,
			    a->r.schedule.count * sizeof(a->r.schedule.items[0]));
}

/* Every jobs-th question from `first' on: neighbours take about as long as each other. */
static void work(const struct hunt_exec *x, const struct hunt_ask_opts *o, struct hunt_asked *items,
		 size_t n, size_t first, int to)
{
	for (size_t i = first; i < n; i += o->jobs) {
		ask_one(x, o, &items[i]);
		if (send_one(to, i, &items[i]) != 0)
			_exit(1);
	}
	/* Nothing of what it was copied from is to be ended twice. */
	_exit(0);
}

static bool start(struct worker *w, const struct hunt_exec *x, const struct hunt_ask_opts *o,
		  struct hunt_asked *items, size_t n, size_t first)
{
	pid_t parent = getpid();
	int ends[2];

	if (pipe(ends) != 0)
		return false;
	w->pid = fork();
	if (w->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		close(ends[0]);
		signal(SIGTERM, SIG_DFL);
		signal(SIGINT, SIG_IGN);
		work(x, o, items, n, first, ends[1]);
	}
	close(ends[1]);
	w->from = ends[0];
	if (w->pid > 0)
		return true;
	close(w->from);
	return false;
}

/* ---- in who asked ---- */

/* False at the end, and when there is no more time. */
static bool receive(int from, void *to, size_t n, const struct limit *limit)
{
	struct pollfd fd = {.fd = from, .events = POLLIN};
	char *at = to;

	while (n) {
		ssize_t got;

		if (limit_reached(limit) != LIMIT_NONE)
			return false;
		if (poll(&fd, 1, LOOK_MS) <= 0)
			continue;
		got = read(from, at, n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		n -= (size_t)got;
	}
	return true;
}

static bool receive_one(int from, struct hunt_asked *items, size_t n, const struct limit *limit)
{
	struct answer m;
	struct hunt_reply *r;

	if (!receive(from, &m, sizeof(m), limit) || m.index >= n)
		return false;
	r = &items[m.index].r;
	*r = (struct hunt_reply){.value = m.value, .rounds = m.rounds, .events = m.events};
	for (uint64_t i = 0; i < m.choices; i++) {
		struct wire_choice c;

		if (!receive(from, &c, sizeof(c), limit))
			return false;
		vec_push(&r->schedule, c);
	}
	m.reason[sizeof(m.reason) - 1] = '\0';
	snprintf(r->reason, sizeof(r->reason), "%s", m.reason);
	r->answer = m.answer;
	items[m.index].took_ns = m.took_ns;
	return true;
}

/* Its answers until it ends; an interrupt ends it at once. */
static void listen(struct worker *w, const struct hunt_ask_opts *o, struct hunt_asked *items,
		   size_t n)
{
	while (receive_one(w->from, items, n, o->limit))
		continue;
	/* It has ended by itself, or there is no more time. */
	kill(w->pid, SIGKILL);
	close(w->from);
	while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
}

void hunt_ask_all(const struct hunt_exec *x, const struct hunt_ask_opts *o,
		  struct hunt_asked *items, size_t n)
{
	size_t jobs = o->jobs < n ? o->jobs : n;
	struct hunt_ask_opts of = *o;
	struct worker *workers = xcalloc(jobs + 1, sizeof(*workers));

	assert(o->jobs > 0);
	of.jobs = (unsigned)jobs;
	for (size_t i = 0; i < n; i++) {
		items[i].r = (struct hunt_reply){.answer = SOLVE_UNKNOWN};
		snprintf(items[i].r.reason, sizeof(items[i].r.reason),
			 "the process that was to answer ended early");
	}
	for (size_t i = 0; i < jobs && jobs > 1; i++)
		if (!start(&workers[i], x, &of, items, n, i))
			workers[i].pid = 0;
	for (size_t i = 0; i < jobs && jobs > 1; i++)
		if (workers[i].pid > 0)
			listen(&workers[i], &of, items, n);
	/* Alone, or when there was no process to be had for a share. */
	for (size_t i = 0; i < n; i++)
		if (jobs <= 1 || workers[i % jobs].pid <= 0)
			ask_one(x, &of, &items[i]);
	free(workers);
}
