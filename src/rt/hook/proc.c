/*
 * Child processes and signals sent.  A child made by fork leaves control: what it does is not part
 * of the run.
 */
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <unistd.h>

#include "rt/hook/ident.h"
#include "rt/hook/io.h"
#include "rt/os/real.h"

/* Only the program's own memory comes along; the control block belongs to the run. */
static void leave_control(void)
{
	rt_current = NULL;
	rt_ctl = NULL;
}

static pid_t fork_child(pid_t (*real)(void))
{
	struct rt_op op = call_op(EVENT_IO, NULL, NULL);
	pid_t child;

	rt_irreversible("fork");
	sched_step(&op);
	child = real();
	if (child == 0) {
		leave_control();
		return 0;
	}
	child = ident_child(child);
	io_done(op.site, 0, child, IO_CHILD);
	return child;
}

RT_EXPORT pid_t fork(void)
{
	return rt_controlled() ? fork_child(REAL(fork)) : REAL(fork)();
}

/* A child that shared our memory could not leave control alone: it gets its own copy. */
RT_EXPORT pid_t vfork(void)
{
	return rt_controlled() ? fork_child(REAL(fork)) : REAL(fork)();
}

/* A spawned child gets the number that the program is to see. */
static int name_child(int failed, pid_t *pid)
{
	if (!failed && pid && rt_controlled())
		*pid = ident_child(*pid);
	return failed;
}

/* What pthread_atfork becomes.  The list lies in the C library. */
RT_EXPORT int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
				void *dso)
{
	if (rt_controlled())
		rt_irreversible("pthread_atfork");
	return REAL(__register_atfork)(prepare, parent, child, dso);
}

RT_EXPORT int posix_spawn(pid_t *restrict pid, const char *restrict path,
			  const posix_spawn_file_actions_t *restrict actions,
			  const posix_spawnattr_t *restrict attr, char *const argv[restrict],
			  char *const envp[restrict])
{
	if (rt_controlled())
		rt_irreversible("posix_spawn(\"%s\")", path);
	return name_child(REAL(posix_spawn)(pid, path, actions, attr, argv, envp), pid);
}

RT_EXPORT int posix_spawnp(pid_t *restrict pid, const char *restrict file,
			   const posix_spawn_file_actions_t *restrict actions,
			   const posix_spawnattr_t *restrict attr, char *const argv[restrict],
			   char *const envp[restrict])
{
	if (rt_controlled())
		rt_irreversible("posix_spawnp(\"%s\")", file);
	return name_child(REAL(posix_spawnp)(pid, file, actions, attr, argv, envp), pid);
}

static void before_exec(const char *path)
{
	if (!rt_controlled())
		return;
	rt_irreversible("exec of \"%s\"", path);
	rt_note("the program replaced itself with \"%s\": the run ends unseen", path);
}

RT_EXPORT int execve(const char *path, char *const argv[], char *const envp[])
{
	before_exec(path);
	return REAL(execve)(path, argv, envp);
}

RT_EXPORT int execv(const char *path, char *const argv[])
{
	before_exec(path);
	return REAL(execv)(path, argv);
}

RT_EXPORT int execvp(const char *file, char *const argv[])
{
	before_exec(file);
	return REAL(execvp)(file, argv);
}

RT_EXPORT int execvpe(const char *file, char *const argv[], char *const envp[])
{
	before_exec(file);
	return REAL(execvpe)(file, argv, envp);
}

RT_EXPORT int fexecve(int fd, char *const argv[], char *const envp[])
{
	before_exec("a descriptor");
	return REAL(fexecve)(fd, argv, envp);
}

RT_EXPORT int system(const char *command)
{
	if (rt_controlled())
		rt_irreversible("system(\"%s\")", command ? command : "");
	return REAL(system)(command);
}

RT_EXPORT FILE *popen(const char *command, const char *mode)
{
	if (rt_controlled())
		rt_irreversible("popen(\"%s\")", command);
	return REAL(popen)(command, mode);
}

RT_EXPORT int kill(pid_t pid, int number)
{
	if (!rt_controlled())
		return REAL(kill)(pid, number);
	rt_irreversible("kill(%d, %d)", pid, number);
	int result = REAL(kill)(ident_real(pid), number);

	sched_wake_io();
	return result;
}

RT_EXPORT int raise(int number)
{
	if (!rt_controlled())
		return REAL(raise)(number);
	if (number == SIGABRT)
		rt_fail(FAILURE_ABORT, sched_take_site(), 0, 0, "raise(SIGABRT)");
	rt_irreversible("raise(%d)", number);
	return REAL(raise)(number);
}

RT_EXPORT int timer_create(clockid_t clock, struct sigevent *restrict event,
			   timer_t *restrict timer)
{
	if (rt_controlled()) {
		rt_irreversible("timer_create");
		rt_note("timers run in real time and outside control");
	}
	return REAL(timer_create)(clock, event, timer);
}

RT_EXPORT unsigned int alarm(unsigned int seconds)
{
	if (rt_controlled()) {
		rt_irreversible("alarm");
		rt_note("alarm runs in real time");
	}
	return REAL(alarm)(seconds);
}

RT_EXPORT int setitimer(__itimer_which_t which, const struct itimerval *restrict value,
			struct itimerval *restrict old)
{
	if (rt_controlled()) {
		rt_irreversible("setitimer");
		rt_note("interval timers run in real time");
	}
	return REAL(setitimer)(which, value, old);
}
