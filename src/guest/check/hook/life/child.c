/* Waiting for child processes. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "guest/check/hook/system/ident.h"
#include "guest/check/hook/system/io.h"
#include "guest/os/real.h"
#include "guest/os/sys.h"

struct child_wait {
	idtype_t type;
	id_t id;
};

static bool child_ready(struct rt_thread *t, const struct rt_op *op)
{
	const struct child_wait *w = op->data;
	siginfo_t info = {0};
	long result = sys_call(SYS_waitid, w->type, w->id, (long)&info,
			       WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT, 0, 0);

	return result < 0 || info.si_pid != 0;
}

/* The step before a call that waits for children in the sense of waitpid. */
static uint32_t wait_child(struct child_wait *w, int options)
{
	struct rt_op op = call_op(EVENT_IO, NULL, child_ready);

	op.data = w;
	io_step(&op, options & WNOHANG ? 0 : -1);
	return op.site;
}

static struct child_wait children_of(pid_t pid)
{
	if (pid > 0)
		return (struct child_wait){P_PID, (id_t)pid};
	if (pid == -1)
		return (struct child_wait){P_ALL, 0};
	return (struct child_wait){P_PGID, (id_t)-pid};
}

static pid_t wait_for_pid(pid_t pid, int *status, int options, struct rusage *usage)
{
	struct child_wait w = children_of(ident_real(pid));
	uint32_t site = wait_child(&w, options);
	pid_t got = ident_child(REAL(wait4)(ident_real(pid), status, options, usage));

	io_done(site, 0, got, IO_CHILD);
	return got;
}

RT_EXPORT pid_t waitpid(pid_t pid, int *status, int options)
{
	return rt_controlled() ? wait_for_pid(pid, status, options, NULL)
			       : REAL(waitpid)(pid, status, options);
}

RT_EXPORT pid_t wait(int *status)
{
	return rt_controlled() ? wait_for_pid(-1, status, 0, NULL) : REAL(wait)(status);
}

RT_EXPORT pid_t wait3(int *status, int options, struct rusage *usage)
{
	return rt_controlled() ? wait_for_pid(-1, status, options, usage)
			       : REAL(wait3)(status, options, usage);
}

RT_EXPORT pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	return rt_controlled() ? wait_for_pid(pid, status, options, usage)
			       : REAL(wait4)(pid, status, options, usage);
}

RT_EXPORT int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	if (!rt_controlled())
		return REAL(waitid)(type, id, info, options);
	id_t real = type == P_PID || type == P_PGID ? (id_t)ident_real((pid_t)id) : id;
	struct child_wait w = {type, real};
	uint32_t site = wait_child(&w, options);
	int result = REAL(waitid)(type, real, info, options);

	if (result == 0 && info)
		info->si_pid = ident_child(info->si_pid);

	io_done(site, 0, result, IO_CHILD);
	return result;
}
