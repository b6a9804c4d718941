#include "record/launch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/hang.h"

static volatile sig_atomic_t child;

static void pass_on(int number, siginfo_t *info, void *context)
{
	/* What the terminal sends, it sends to the program as well. */
	if (child > 0 && (number != SIGINT || info->si_code != SI_KERNEL))
		kill((pid_t)child, number);
}

/* The program's own, secrets included: what is recorded of it is the host's and the guest's care. */
static char **environment(const struct record_launch *l)
{
	char **own = l->program->own_envp;
	size_t n = 0, to = 0;
	char **all, *whole;

	while (own[n])
		n++;
	all = xcalloc(n + 3, sizeof(*all));
	for (size_t i = 0; i < n; i++)
		if (!l->preload || strncmp(own[i], "LD_PRELOAD=", 11))
			all[to++] = own[i];
	/* The program may go to another directory. */
	whole = realpath(l->live->dir, NULL);
	all[to++] = xasprintf(RECORD_ENV "=%s", whole ? whole : l->live->dir);
	free(whole);
	if (l->preload)
		all[to++] = xasprintf("LD_PRELOAD=%s", l->preload);
	return all;
}

static void become(const struct record_launch *l)
{
	char **env = environment(l);

	l->live->ctl->pid = (uint32_t)getpid();
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	execve(l->executable, l->program->own_argv, env);
	fprintf(stderr, "heddle record: cannot start %s: %s\n", l->executable, strerror(errno));
	_exit(3);
}

static int wait_for(struct record_launch *l, pid_t pid, struct err *e)
{
	struct record_hang watch = {.live = l->live, .pid = pid, .limit_ns = l->hang_ns};
	struct timespec pause = {0, 20000000};
	pid_t done;

	for (;;) {
		done = waitpid(pid, &l->status, l->hang_ns ? WNOHANG : 0);
		if (done == pid)
			return 0;
		if (done < 0 && errno != EINTR)
			return err_errno(e, ERR_INTERNAL, "waiting for the program");
		if (!l->hang_ns)
			continue;
		nanosleep(&pause, NULL);
		if (record_hang_look(&watch))
			kill(pid, SIGABRT);
	}
}

int record_launch(struct record_launch *l, struct err *e)
{
	static const int numbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
	struct sigaction forward = {.sa_sigaction = pass_on, .sa_flags = SA_RESTART | SA_SIGINFO};
	struct sigaction old[4];
	pid_t pid;
	int rc;

	fflush(NULL);
	pid = fork();
	if (pid == 0)
		become(l);
	if (pid < 0)
		return err_errno(e, ERR_INTERNAL, "fork");
	child = pid;
	for (size_t i = 0; i < 4; i++)
		sigaction(numbers[i], &forward, &old[i]);
	rc = wait_for(l, pid, e);
	child = 0;
	for (size_t i = 0; i < 4; i++)
		sigaction(numbers[i], &old[i], NULL);
	return rc;
}

/* Somebody asked the program to end: that is no failure of it. */
static bool was_asked(int number)
{
	return number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT ||
	       number == SIGALRM;
}

bool record_launch_failed(int status, struct record_failure *f)
{
	int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	if (f->kind != RECORD_FAIL_NONE)
		return true;
	if (!number || was_asked(number))
		return false;
	f->kind = RECORD_FAIL_KILLED;
	f->signal = number;
	return true;
}
