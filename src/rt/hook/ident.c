#include "rt/hook/ident.h"

#include "rt/os/real.h"
#include "rt/os/sys.h"
#include "rt/sched/thread.h"

pid_t ident_tid(void)
{
	return IDENT_PID + rt_self()->tid;
}

pid_t ident_real(pid_t pid)
{
	if (pid == IDENT_PID)
		return sys_getpid();
	return pid == -IDENT_PID ? -sys_getpid() : pid;
}

RT_EXPORT pid_t getpid(void)
{
	return rt_controlled() ? IDENT_PID : REAL(getpid)();
}

RT_EXPORT pid_t gettid(void)
{
	return rt_controlled() ? ident_tid() : REAL(gettid)();
}
