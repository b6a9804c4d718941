/*
 * Child processes.  A child made by fork leaves control: what it does is not part of the run.
 */
#include <spawn.h>
#include <stdarg.h>
#include <unistd.h>

#include "guest/check/engine/engine.h"
#include "guest/check/hook/system/fd_release.h"
#include "guest/check/hook/system/ident.h"
#include "guest/check/hook/system/io.h"
#include "guest/check/hook/system/map.h"
#include "guest/os/real.h"

/* Only the program's own memory comes along; the control block belongs to the run. */
static void leave_control(void)
{
	rt_current = NULL;
	rt_ctl = NULL;
}

/*
 * A copy of the whole process has all that the threads did so far, locks that they hold included;
 * what a program started from files gets was read by nobody we know of.  While there is only one
 * thread both are the same every time.
 */
static void leave_unseen(uint32_t site, const char *call)
{
	if (rt_thread_count > 1)
		rt_unseen(site, "what a child process of %s makes of the memory it gets", call);
}

static pid_t fork_child(pid_t (*real)(void))
{
	struct rt_op op = call_op(EVENT_IO, NULL, NULL);
	pid_t child;

	rt_irreversible("fork");
	sched_step(&op);
	fd_release(op.site, "fork()");
	leave_unseen(op.site, "fork()");
	if (map_shares())
		rt_unseen(op.site, "a child process shares memory with the program");
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

/*
 * A thread made by hand may share the thread-local storage of its maker: nobody could tell the two
 * apart.
 */
RT_EXPORT int clone(int (*function)(void *), void *stack, int flags, void *arg, ...)
{
	va_list more;
	void *parent_tid, *tls, *child_tid;

	if (rt_controlled())
		rt_trouble("the program makes a thread or process with clone()");
	va_start(more, arg);
	parent_tid = va_arg(more, void *);
	tls = va_arg(more, void *);
	child_tid = va_arg(more, void *);
	va_end(more);
	return REAL(clone)(function, stack, flags, arg, parent_tid, tls, child_tid);
}

/* A child, or what takes this process over, gets the descriptors too. */
static void leave_descriptors(const char *call, const char *what)
{
	rt_irreversible("%s(\"%s\")", call, what);
	fd_release(SITE_NONE, call);
	leave_unseen(sched_take_site(), call);
}

/*
 * What pthread_atfork becomes.  The list lies in the C library; on the reset engine, which carries
 * no fork, nobody will look at it.
 */
RT_EXPORT int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
				void *dso)
{
	if (rt_controlled() && engine_is_reset())
		return 0;
	return REAL(__register_atfork)(prepare, parent, child, dso);
}

RT_EXPORT int posix_spawn(pid_t *restrict pid, const char *restrict path,
			  const posix_spawn_file_actions_t *restrict actions,
			  const posix_spawnattr_t *restrict attr, char *const argv[restrict],
			  char *const envp[restrict])
{
	if (rt_controlled())
		leave_descriptors("posix_spawn", path);
	return name_child(REAL(posix_spawn)(pid, path, actions, attr, argv, envp), pid);
}

RT_EXPORT int posix_spawnp(pid_t *restrict pid, const char *restrict file,
			   const posix_spawn_file_actions_t *restrict actions,
			   const posix_spawnattr_t *restrict attr, char *const argv[restrict],
			   char *const envp[restrict])
{
	if (rt_controlled())
		leave_descriptors("posix_spawnp", file);
	return name_child(REAL(posix_spawnp)(pid, file, actions, attr, argv, envp), pid);
}

static void before_exec(const char *path)
{
	if (!rt_controlled())
		return;
	leave_descriptors("exec", path);
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
		leave_descriptors("system", command ? command : "");
	return REAL(system)(command);
}

RT_EXPORT FILE *popen(const char *command, const char *mode)
{
	if (rt_controlled())
		leave_descriptors("popen", command);
	return REAL(popen)(command, mode);
}
