#include "base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/strbuf.h"

/* In the child: sets up the descriptors and becomes the program; reports errno through report_fd.
 */
static _Noreturn void become(const char *path, char *const argv[], unsigned flags, const int *fds)
{
	int out_fd = fds[0], report_fd = fds[1], number;
	sigset_t none;

	if (flags & PROC_QUIET)
		out_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (out_fd >= 0)
		dup2(out_fd, STDOUT_FILENO);
	if (flags & (PROC_MERGE | PROC_QUIET))
		dup2(STDOUT_FILENO, STDERR_FILENO);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execv(path, argv);
	number = errno;
	if (write(report_fd, &number, sizeof(number)) < 0)
		_exit(126);
	_exit(127);
}

/* Reads fd to its end into b. */
static void drain(int fd, struct strbuf *b)
{
	char block[8192];

	for (;;) {
		ssize_t n = read(fd, block, sizeof(block));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		strbuf_add_bytes(b, block, (size_t)n);
	}
}

static int wait_for(pid_t pid, int *status)
{
	while (waitpid(pid, status, 0) < 0) {
		if (errno != EINTR)
			return -1;
	}
	return 0;
}

static void close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* The parent's half: collects the output, learns whether exec worked, waits. */
static int supervise(pid_t pid, const int *fds, struct proc_result *result, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	int out_fd = fds[0], report_fd = fds[1], number = 0;
	ssize_t n;

	do {
		n = read(report_fd, &number, sizeof(number));
	} while (n < 0 && errno == EINTR);
	if (out_fd >= 0)
		drain(out_fd, &text);
	if (wait_for(pid, &result->status)) {
		strbuf_free(&text);
		return err_errno(e, ERR_TOOL, "cannot wait for a program");
	}
	if (n == (ssize_t)sizeof(number)) {
		strbuf_free(&text);
		errno = number;
		return err_errno(e, ERR_TOOL, "cannot execute");
	}
	if (out_fd >= 0) {
		result->out_bytes = text.length;
		result->out = strbuf_take(&text);
	}
	return 0;
}

static int start(const char *path, char *const argv[], unsigned flags, struct proc_result *result,
		 struct err *e)
{
	int out[2] = {-1, -1}, report[2] = {-1, -1};
	int rc = 0;
	pid_t pid;

	if (((flags & PROC_CAPTURE) && pipe2(out, O_CLOEXEC)) || pipe2(report, O_CLOEXEC)) {
		rc = err_errno(e, ERR_TOOL, "cannot make a pipe");
		goto out;
	}
	pid = fork();
	if (pid < 0) {
		rc = err_errno(e, ERR_TOOL, "cannot start a process");
		goto out;
	}
	if (pid == 0)
		become(path, argv, flags, (const int[]){out[1], report[1]});
	close_if_open(out[1]);
	close(report[1]);
	out[1] = report[1] = -1;
	rc = supervise(pid, (const int[]){out[0], report[0]}, result, e);
out:
	for (int i = 0; i < 2; i++) {
		close_if_open(out[i]);
		close_if_open(report[i]);
	}
	return rc;
}

int proc_run(char *const argv[], unsigned flags, struct proc_result *result, struct err *e)
{
	char *path = fs_find_program(argv[0]);
	struct proc_result unused;
	int rc;

	if (!path)
		return err_set(e, ERR_NOT_FOUND, "program %s not found", argv[0]);
	if (!result)
		result = &unused;
	memset(result, 0, sizeof(*result));
	rc = start(path, argv, flags, result, e);
	if (rc)
		err_wrap(e, "%s", path);
	if (result == &unused)
		free(unused.out);
	free(path);
	return rc;
}

int proc_exit_code(int wait_status)
{
	return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}
