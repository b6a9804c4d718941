#include "cli/exec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/mem.h"

#define PATIENCE_NS UINT64_C(300000000)
#define INPUT_BYTES (64u << 20)

volatile sig_atomic_t cli_exec_stop;
static volatile uint64_t stopped_ns; /* when it was set */

/*
 * A second signal ends heddle itself, and the kernel takes the guests with it.  It must come a
 * little later: process groups often deliver one interrupt twice.
 */
static void on_signal(int number)
{
	uint64_t now = limit_now();

	if (cli_exec_stop && now - stopped_ns > PATIENCE_NS)
		_exit(128 + number);
	if (!cli_exec_stop)
		stopped_ns = now;
	cli_exec_stop = 1;
}

static void install_handler(void)
{
	struct sigaction action = {.sa_handler = on_signal};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

struct limit cli_exec_interruptible(void)
{
	install_handler();
	return (struct limit){.stopped_ns = &stopped_ns};
}

static void say_step_down(void *arg, const char *reason)
{
	const struct cli_exec *x = arg;

	if (!x->quiet)
		fprintf(stderr, "heddle %s: reset engine %s; using fork\n", x->command, reason);
}

static int parse_seed(const char *text, uint64_t *seed, struct err *e)
{
	if (strcmp(text, "random") != 0)
		return cli_options_uint(text, seed, e) ? err_wrap(e, "--seed") : 0;
	if (getrandom(seed, sizeof(*seed), 0) != (ssize_t)sizeof(*seed))
		return err_errno(e, ERR_IO, "cannot draw a seed");
	*seed >>= 16; /* room for many runs, and short enough to type */
	return 0;
}

static int make_job(struct wire_job *job, const struct cli_exec_opts *o, struct err *e)
{
	*job = (struct wire_job){
		.strategy = (uint32_t)o->strategy,
		.model = (uint32_t)o->model,
		.runs = 1,
		.max_steps = o->max_steps,
	};
	if (o->exit_code)
		job->flags |= JOB_EXIT_IS_FAILURE;
	if (o->spurious)
		job->flags |= JOB_SPURIOUS;
	if (o->strategy == STRATEGY_PCT)
		job->bound = (uint32_t)o->depth;
	if (o->strategy == STRATEGY_DFS) {
		bool delays = o->delays != CLI_EXEC_UNSET;

		job->bound = (uint32_t)(delays ? o->delays : o->preemptions);
		job->flags |= delays ? JOB_DELAY_BOUND : 0;
	}
	return o->seed ? parse_seed(o->seed, &job->seed, e) : 0;
}

/* Copies what comes until it ends, so that every run can read it from its beginning. */
static int spool(int from, int *to, const char *name, struct err *e)
{
	static char block[1 << 16];
	size_t total = 0;
	ssize_t n;

	*to = memfd_create("heddle-input", MFD_CLOEXEC);
	if (*to < 0)
		return err_errno(e, ERR_IO, "cannot make a file for the program's input");
	while ((n = read(from, block, sizeof(block))) != 0) {
		if (n < 0 && errno == EINTR && !cli_exec_stop)
			continue;
		if (n < 0)
			return err_errno(e, ERR_IO, "cannot read %s", name);
		total += (size_t)n;
		if (total > INPUT_BYTES)
			return err_set(e, ERR_LIMIT, "%s has more than %zu bytes", name,
				       (size_t)INPUT_BYTES);
		if (write(*to, block, (size_t)n) != n)
			return err_errno(e, ERR_IO, "cannot keep the program's input");
	}
	return 0;
}

/* What cannot be read twice is kept in memory; the empty device can. */
static bool is_rereadable(int fd)
{
	struct stat st, null;

	if (fstat(fd, &st) != 0)
		return false;
	return S_ISREG(st.st_mode) || (S_ISCHR(st.st_mode) && stat("/dev/null", &null) == 0 &&
				       null.st_rdev == st.st_rdev);
}

static int open_file(struct cli_exec *x, const char *path, struct err *e)
{
	bool is_ours = strcmp(path, "-") == 0;
	int fd = is_ours ? fcntl(0, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC);
	int rc;

	if (fd < 0)
		return err_errno(e, ERR_IO, "cannot open %s", is_ours ? "standard input" : path);
	x->program.input = is_ours ? xstrdup(path) : realpath(path, NULL);
	if (!is_ours && is_rereadable(fd)) {
		x->in_fd = fd;
		return 0;
	}
	rc = spool(fd, &x->in_fd, is_ours ? "standard input" : path, e);
	close(fd);
	return rc;
}

/*
 * A regular file given by redirection is taken over.  Waiting for the end of a pipe or a terminal
 * nobody meant would look like a hang: those are read when the user says so.
 */
static int open_input(struct cli_exec *x, const struct cli_exec_opts *o, struct err *e)
{
	const char *path = o->stdin_path;
	struct stat st;

	if (!path && fstat(0, &st) == 0 && S_ISREG(st.st_mode))
		path = "/proc/self/fd/0";
	if (!path && fstat(0, &st) == 0 && S_ISFIFO(st.st_mode) && !x->quiet)
		fprintf(stderr,
			"heddle %s: note: the program's standard input is empty; use --stdin=- to "
			"have it read from the pipe, or --stdin=FILE\n",
			x->command);
	return open_file(x, path ? path : "/dev/null", e);
}

int cli_exec_prepare(struct cli_exec *x, const char *command, const struct cli_exec_opts *o,
		     bool capture, struct err *e)
{
	memset(x, 0, sizeof(*x));
	x->command = command;
	x->quiet = o->quiet;
	x->in_fd = -1;
	run_engine_init(&x->engine, (enum wire_engine)o->engine, say_step_down, x);
	x->limit = cli_exec_interruptible();
	x->limit = limit_within(&x->limit, o->time_ns);
	if ((capture || o->stdin_path) && open_input(x, o, e) != 0)
		return e->code;
	x->guest = (struct run_guest_opts){
		.program = &x->program,
		.capture = capture,
		.in_fd = x->in_fd,
		.hang_ns = o->hang_ns,
		.sizes = RUN_CTL_SIZES_DEFAULT,
		.limit = &x->limit,
		.trust = o->trust,
	};
	return 0;
}

void cli_exec_say_secrets(const char *command, const struct run_program *p)
{
	if (!p->said.count)
		return;
	fprintf(stderr, "heddle %s: taken for secrets, kept only as stand-ins:", command);
	for (size_t i = 0; i < p->said.count; i++)
		fprintf(stderr, "%s %s", i ? "," : "", p->said.items[i]);
	fprintf(stderr, " (see --env)\n");
}

int cli_exec_begin(struct cli_exec *x, const char *command, const struct cli_exec_opts *o,
		   char *const *words, bool capture, struct err *e)
{
	int rc = cli_exec_prepare(x, command, o, capture, e);

	if (rc == 0)
		rc = make_job(&x->job, o, e);
	if (rc == 0)
		rc = run_program_init(&x->program, words, o->env, e);
	if (rc == 0 && !x->quiet)
		cli_exec_say_secrets(command, &x->program);
	if (rc == 0)
		rc = run_program_check(&x->program, e);
	return rc;
}

void cli_exec_end(struct cli_exec *x)
{
	run_program_fini(&x->program);
	run_engine_fini(&x->engine);
	check_advisor_fini(&x->advisor);
	if (x->in_fd >= 0)
		close(x->in_fd);
	x->in_fd = -1;
}
