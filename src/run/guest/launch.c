#include "run/guest/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "wire/ctl.h"

/* Above every descriptor the child rearranges. */
#define HIGH_FD (WIRE_CTL_FD + 2)
#define STACK_LIMIT (UINT64_C(8) << 20)

/* Where the child failed, for the message. */
enum step { STEP_PERSONALITY, STEP_DESCRIPTORS, STEP_DIRECTORY, STEP_TRACE, STEP_EXEC };

struct failure {
	int step, code;
};

/* What the child needs, made before fork: after it only plain system calls are safe. */
struct child {
	const struct run_launch *launch;
	char **envp;
	int error_fd;
	pid_t parent;
	sigset_t mask;
};

static char **make_environment(char *const *user)
{
	size_t n = 0;
	char **envp;

	while (user[n])
		n++;
	envp = xcalloc(n + 3, sizeof(*envp));
	memcpy(envp, user, n * sizeof(*envp));
	envp[n] = (char *)"LD_BIND_NOW=1";
	envp[n + 1] = (char *)WIRE_CTL_ENV "=" WIRE_CTL_VALUE;
	return envp;
}

static int move_fd(int from, int to)
{
	if (from < 0)
		return 0;
	if (from == to)
		return fcntl(from, F_SETFD, 0);
	return dup2(from, to);
}

static int child_descriptors(const struct run_launch *l)
{
	/* The block first: it may itself lie on 0, 1 or 2. */
	if (move_fd(l->ctl_fd, WIRE_CTL_FD) < 0)
		return -1;
	if (move_fd(l->in_fd, 0) < 0 || move_fd(l->out_fd, 1) < 0 || move_fd(l->out_fd, 2) < 0)
		return -1;
	return 0;
}

static void child_limits(void)
{
	struct rlimit stack, core = {0, 0};

	if (getrlimit(RLIMIT_STACK, &stack) == 0) {
		stack.rlim_cur = stack.rlim_max < STACK_LIMIT ? stack.rlim_max : STACK_LIMIT;
		setrlimit(RLIMIT_STACK, &stack);
	}
	setrlimit(RLIMIT_CORE, &core);
}

/* The step that failed, STEP_EXEC when all went well so far. */
static enum step child_setup(const struct child *c)
{
	int persona = personality(0xffffffff);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != c->parent)
		_exit(127);
	if (c->launch->own_group)
		setpgid(0, 0);
	if (persona < 0 || personality((unsigned long)persona | ADDR_NO_RANDOMIZE) < 0)
		return STEP_PERSONALITY;
	child_limits();
	if (child_descriptors(c->launch) != 0)
		return STEP_DESCRIPTORS;
	if (c->launch->program->cwd && chdir(c->launch->program->cwd) != 0)
		return STEP_DIRECTORY;
	if (c->launch->stopped && ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
		return STEP_TRACE;
	return STEP_EXEC;
}

static _Noreturn void child_main(const struct child *c)
{
	struct failure f;

	for (int s = 1; s < 32; s++)
		signal(s, SIG_DFL);
	sigprocmask(SIG_SETMASK, &c->mask, NULL);
	f.step = child_setup(c);
	if (f.step == STEP_EXEC)
		execve(c->launch->program->path, c->launch->program->argv, c->envp);
	f.code = errno;
	if (write(c->error_fd, &f, sizeof(f)) < 0)
		_exit(126);
	_exit(127);
}

/* A pipe whose ends are above the descriptors the child rearranges and closed by exec. */
static int make_pipe(int ends[2], struct err *e)
{
	int raw[2];

	if (pipe2(raw, O_CLOEXEC) != 0)
		return err_errno(e, ERR_IO, "cannot make a pipe");
	for (int i = 0; i < 2; i++) {
		ends[i] = fcntl(raw[i], F_DUPFD_CLOEXEC, HIGH_FD);
		close(raw[i]);
	}
	if (ends[0] >= 0 && ends[1] >= 0)
		return 0;
	err_errno(e, ERR_IO, "cannot make a pipe");
	for (int i = 0; i < 2; i++)
		if (ends[i] >= 0)
			close(ends[i]);
	return ERR_IO;
}

static int explain(const struct failure *f, const struct run_program *p, struct err *e)
{
	errno = f->code;
	switch (f->step) {
	case STEP_PERSONALITY:
		return err_errno(
			e, ERR_GUEST,
			"address space randomisation cannot be switched off here (a container "
			"may forbid it)");
	case STEP_DIRECTORY:
		return err_errno(e, ERR_GUEST, "cannot change to %s", p->cwd);
	case STEP_TRACE:
		return err_errno(e, ERR_GUEST, "cannot stop %s for a debugger", p->path);
	default:
		return err_errno(e, ERR_GUEST, "cannot start %s", p->path);
	}
}

/* Reads what went wrong before exec; nothing comes when exec succeeded. */
static int read_exec_error(int fd, const struct run_program *p, struct err *e)
{
	struct failure f;
	ssize_t n;

	do
		n = read(fd, &f, sizeof(f));
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(f) ? explain(&f, p, e) : 0;
}

/* The child stopped at its first instruction: let go of it, but leave it stopped. */
static int leave_stopped(pid_t pid, struct err *e)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		return err_set(e, ERR_GUEST, "the program did not stop for the debugger");
	if (ptrace(PTRACE_DETACH, pid, NULL, (void *)(long)SIGSTOP) != 0)
		return err_errno(e, ERR_GUEST, "cannot hand the program to the debugger");
	return 0;
}

static int parent_main(const struct run_launch *l, pid_t pid, int error_fd, struct err *e)
{
	int rc;

	/* Both sides do it, so that it holds whichever runs first. */
	if (l->own_group)
		setpgid(pid, pid);
	rc = read_exec_error(error_fd, l->program, e);
	if (rc == 0 && l->stopped)
		rc = leave_stopped(pid, e);
	if (rc != 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	return rc;
}

int run_launch_spawn(const struct run_launch *l, pid_t *pid, struct err *e)
{
	struct child c = {.launch = l, .parent = getpid()};
	int ends[2] = {-1, -1};
	int rc = make_pipe(ends, e);
	sigset_t all;

	if (rc != 0)
		return rc;
	c.envp = make_environment(l->program->envp);
	c.error_fd = ends[1];
	/* No handler of ours may run in the child between fork and the reset of the handlers. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &c.mask);
	*pid = fork();
	if (*pid == 0)
		child_main(&c);
	pthread_sigmask(SIG_SETMASK, &c.mask, NULL);
	close(ends[1]);
	if (*pid < 0)
		rc = err_errno(e, ERR_GUEST, "cannot start a process");
	else
		rc = parent_main(l, *pid, ends[0], e);
	close(ends[0]);
	free(c.envp);
	log_debug(LOG_RUN, "started %s as %d (%d)", l->program->path, (int)*pid, rc);
	return rc;
}
