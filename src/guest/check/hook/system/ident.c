#include "guest/check/hook/system/ident.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/os/sys.h"
#include "guest/check/sched/thread.h"

pid_t ident_tid(void)
{
	return IDENT_PID + rt_self()->tid;
}

/* Children in the order of their creation; only engines that carry one run make any. */
#define MAX_CHILDREN 1024
#define FIRST_CHILD (IDENT_PID + WIRE_MAX_THREADS)
static pid_t children[MAX_CHILDREN];
static int child_count;

pid_t ident_child(pid_t real)
{
	if (real <= 0)
		return real;
	for (int i = 0; i < child_count; i++)
		if (children[i] == real)
			return FIRST_CHILD + i;
	if (child_count == MAX_CHILDREN)
		return real;
	children[child_count] = real;
	return FIRST_CHILD + child_count++;
}

bool ident_child_lives(void)
{
	for (int i = 0; i < child_count; i++) {
		siginfo_t info = {.si_pid = 0};
		long result = sys_call(SYS_waitid, P_PID, children[i], (long)&info,
				       WEXITED | WNOHANG | WNOWAIT, 0, 0);

		if (result == 0 && info.si_pid == 0)
			return true;
	}
	return false;
}

pid_t ident_real(pid_t pid)
{
	if (pid < -1)
		return -ident_real(-pid);
	if (pid == IDENT_PID)
		return sys_getpid();
	if (pid >= FIRST_CHILD && pid < FIRST_CHILD + child_count)
		return children[pid - FIRST_CHILD];
	return pid;
}

RT_EXPORT pid_t getpid(void)
{
	return rt_controlled() ? IDENT_PID : REAL(getpid)();
}

RT_EXPORT pid_t gettid(void)
{
	return rt_controlled() ? ident_tid() : REAL(gettid)();
}

RT_EXPORT int get_nprocs(void)
{
	return rt_controlled() ? IDENT_PROCESSORS : REAL(get_nprocs)();
}

RT_EXPORT int get_nprocs_conf(void)
{
	return rt_controlled() ? IDENT_PROCESSORS : REAL(get_nprocs_conf)();
}

RT_EXPORT long sysconf(int name)
{
	if (rt_controlled() && (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF))
		return IDENT_PROCESSORS;
	return REAL(sysconf)(name);
}

RT_EXPORT int sched_getcpu(void)
{
	if (!rt_controlled())
		return REAL(sched_getcpu)();
	if (rt_thread_count > 1)
		rt_unseen(sched_take_site(), "on which processor a thread runs was not varied");
	return 0;
}

int ident_affinity(size_t n, cpu_set_t *set)
{
	if (n < sizeof(unsigned long))
		return EINVAL;
	undo_touch(set, n);
	memset(set, 0, n);
	for (size_t i = 0; i < IDENT_PROCESSORS; i++)
		CPU_SET_S(i, n, set);
	return 0;
}

RT_EXPORT int sched_getaffinity(pid_t pid, size_t n, cpu_set_t *set)
{
	int failed;

	if (!rt_controlled())
		return REAL(sched_getaffinity)(pid, n, set);
	failed = ident_affinity(n, set);
	if (failed)
		errno = failed;
	return failed ? -1 : 0;
}

/* Where a thread runs is the engine's business. */
RT_EXPORT int sched_setaffinity(pid_t pid, size_t n, const cpu_set_t *set)
{
	return rt_controlled() ? 0 : REAL(sched_setaffinity)(pid, n, set);
}
