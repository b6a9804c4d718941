#include "cli/exec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/watch.h"

#define PATIENCE_NS UINT64_C(300000000)

volatile sig_atomic_t cli_exec_stop;

/*
 * A second signal ends heddle itself, and the kernel takes the guests with it.  It must come a
 * little later: process groups often deliver one interrupt twice.
 */
static void on_signal(int number)
{
	static volatile uint64_t first_ns;
	uint64_t now = run_watch_now();

	if (cli_exec_stop && now - first_ns > PATIENCE_NS)
		_exit(128 + number);
	if (!cli_exec_stop)
		first_ns = now;
	cli_exec_stop = 1;
}

static void install_handler(void)
{
	struct sigaction action = {.sa_handler = on_signal};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
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
	if (o->strategy == STRATEGY_PCT)
		job->bound = (uint32_t)o->depth;
	if (o->strategy == STRATEGY_DFS) {
		bool delays = o->delays != CLI_EXEC_UNSET;

		job->bound = (uint32_t)(delays ? o->delays : o->preemptions);
		job->flags |= delays ? JOB_DELAY_BOUND : 0;
	}
	return o->seed ? parse_seed(o->seed, &job->seed, e) : 0;
}

/* A regular file given by redirection is taken over; anything else cannot be read twice. */
static int open_input(struct cli_exec *x, const struct cli_exec_opts *o, struct err *e)
{
	const char *path = o->stdin_path;
	struct stat st;

	if (!path && fstat(0, &st) == 0 && S_ISREG(st.st_mode))
		path = "/proc/self/fd/0";
	if (!path && fstat(0, &st) == 0 && S_ISFIFO(st.st_mode) && !x->quiet)
		fprintf(stderr,
			"heddle %s: note: the program's standard input is empty; a pipe cannot be "
			"read in every run, use --stdin=FILE\n",
			x->command);
	x->in_fd = open(path ? path : "/dev/null", O_RDONLY | O_CLOEXEC);
	if (x->in_fd < 0)
		return err_errno(e, ERR_IO, "cannot open %s", path ? path : "/dev/null");
	x->program.input = realpath(path ? path : "/dev/null", NULL);
	return 0;
}

int cli_exec_prepare(struct cli_exec *x, const char *command, const struct cli_exec_opts *o,
		     bool capture, struct err *e)
{
	memset(x, 0, sizeof(*x));
	x->command = command;
	x->quiet = o->quiet;
	x->in_fd = -1;
	run_engine_init(&x->engine, (enum wire_engine)o->engine, say_step_down, x);
	install_handler();
	if ((capture || o->stdin_path) && open_input(x, o, e) != 0)
		return e->code;
	x->guest = (struct run_guest_opts){
		.program = &x->program,
		.capture = capture,
		.in_fd = x->in_fd,
		.hang_ns = o->hang_ns,
		.sizes = RUN_CTL_SIZES_DEFAULT,
		.stop = &cli_exec_stop,
	};
	return 0;
}

int cli_exec_begin(struct cli_exec *x, const char *command, const struct cli_exec_opts *o,
		   char *const *words, bool capture, struct err *e)
{
	int rc = cli_exec_prepare(x, command, o, capture, e);

	if (rc == 0)
		rc = make_job(&x->job, o, e);
	if (rc == 0)
		rc = run_program_init(&x->program, words, e);
	if (rc == 0)
		rc = run_program_check(&x->program, e);
	return rc;
}

void cli_exec_end(struct cli_exec *x)
{
	run_program_fini(&x->program);
	run_engine_fini(&x->engine);
	run_fence_cache_fini(&x->fence_cache);
	if (x->in_fd >= 0)
		close(x->in_fd);
	x->in_fd = -1;
}
