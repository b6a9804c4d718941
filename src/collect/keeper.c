/* Only system calls: the process is a fork of one with threads. */
#include "collect/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILDREN "/proc/thread-self/children"

static void signals_of_interest(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGCHLD);
}

int collect_keeper_begin(pid_t parent)
{
	sigset_t set;

	signals_of_interest(&set);
	if (sigprocmask(SIG_BLOCK, &set, NULL) || signal(SIGCHLD, SIG_DFL) == SIG_ERR ||
	    signal(SIGTERM, SIG_DFL) == SIG_ERR || prctl(PR_SET_CHILD_SUBREAPER, 1) ||
	    prctl(PR_SET_PDEATHSIG, SIGTERM))
		return -1;
	return getppid() == parent ? 0 : -1;
}

/* A list that ends in the middle of a number names no child by that number. */
static void kill_listed(const char *list, ssize_t n)
{
	pid_t pid = 0;

	for (ssize_t i = 0; i < n; i++) {
		if (list[i] >= '0' && list[i] <= '9') {
			pid = pid * 10 + (list[i] - '0');
			continue;
		}
		if (pid > 1)
			kill(pid, SIGKILL);
		pid = 0;
	}
}

/* The first of the children; those of a killed one come to the list when it is over. */
static bool kill_children(void)
{
	char list[4096];
	int fd = open(CHILDREN, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, list, sizeof(list));

	if (fd >= 0)
		close(fd);
	kill_listed(list, n);
	return n >= 0;
}

static void end_all(pid_t worker)
{
	pid_t got;

	do {
		if (!kill_children())
			kill(-worker, SIGKILL);
		/* Each that ends may leave others. */
		while ((got = waitpid(-1, NULL, 0)) < 0 && errno == EINTR)
			;
	} while (got > 0);
}

void collect_keeper_keep(pid_t worker)
{
	int status = 0, signal = 0;
	sigset_t set;
	pid_t got;

	signals_of_interest(&set);
	while (signal != SIGTERM && (got = waitpid(worker, &status, WNOHANG)) != worker) {
		if (got < 0 && errno != EINTR)
			break;
		sigwait(&set, &signal);
	}
	end_all(worker);
	if (signal == SIGTERM)
		_exit(128 + SIGTERM);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}
