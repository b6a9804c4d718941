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

/*
 * Numbers are given out in the order in which threads begin others, which nothing records: fine while
 * one thread begins them all, or nobody asks.
 */
static RT_RUN bool number_asked, several_begin;
static RT_RUN uint16_t first_to_begin; /* its number, and one more; 0: nobody has */

static void tell_order(uint32_t site)
{
	if (number_asked && several_begin)
		rt_unseen(site, "numbers of threads (gettid()) that several threads begin");
}

void ident_begins(uint32_t site)
{
	uint16_t me = (uint16_t)(rt_self()->tid + 1);

	if (first_to_begin == 0)
		first_to_begin = me;
	several_begin |= first_to_begin != me;
	tell_order(site);
}

pid_t ident_tid(void)
{
	number_asked |= rt_self()->tid != 0;
	tell_order(SITE_NONE);
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
