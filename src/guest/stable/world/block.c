/* Wrappers of other calls that wait for the outside world: processes, signals, queues, streams. */
#include "guest/stable/world/around.h"
#include "guest/stable/world/channel.h"
#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/outside.h"
#include "guest/stable/world/stream.h"
#include "guest/stable/real.h"

#include <stdlib.h>
#include <unistd.h>

AROUND(pid_t, wait, (int *status), (status), outside_leave())
AROUND(pid_t, waitpid, (pid_t pid, int *status, int flags), (pid, status, flags),
       if (!(flags & WNOHANG)) outside_leave())
AROUND(pid_t, wait4, (pid_t pid, int *status, int flags, struct rusage *usage),
       (pid, status, flags, usage), if (!(flags & WNOHANG)) outside_leave())
AROUND(int, waitid, (idtype_t type, id_t id, siginfo_t *info, int flags), (type, id, info, flags),
       if (!(flags & WNOHANG)) outside_leave())
AROUND(int, system, (const char *command), (command), channel_give_up_all(true); outside_leave())
AROUND(FILE *, popen, (const char *command, const char *mode), (command, mode),
       channel_give_up_all(true))
AROUND(int, posix_spawn,
       (pid_t * pid, const char *path, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *how, char *const argv[], char *const envp[]),
       (pid, path, actions, how, argv, envp), channel_give_up_all(!actions))
AROUND(int, posix_spawnp,
       (pid_t * pid, const char *path, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *how, char *const argv[], char *const envp[]),
       (pid, path, actions, how, argv, envp), channel_give_up_all(!actions))
AROUND(int, pclose, (FILE * stream), (stream), stream_closed(stream); outside_leave())
/* The C library closes whole ranges of descriptors behind our back. */
static void closed_range(unsigned first, unsigned last, uintptr_t caller)
{
	outside_forget_all();
	for (unsigned fd = first; fd <= last && fd < CHANNEL_DESCRIPTORS; fd++) {
		channel_touched((int)fd, caller);
		channel_forget((int)fd);
	}
}

HOOK_EXPORT int close_range(unsigned first, unsigned last, int flags)
{
	real_ready();
	int result = real.close_range(first, last, flags);
	if (result == 0 && flags == 0)
		closed_range(first, last, HOOK_CALLER);
	return result;
}

HOOK_EXPORT void closefrom(int first)
{
	real_ready();
	real.closefrom(first);
	closed_range(first < 0 ? 0 : (unsigned)first, UINT32_MAX, HOOK_CALLER);
}

AROUND(int, pause, (void), (), outside_leave())
AROUND(int, sigsuspend, (const sigset_t *mask), (mask), outside_leave())
AROUND(int, sigwait, (const sigset_t *set, int *number), (set, number), outside_leave())
AROUND(int, sigwaitinfo, (const sigset_t *set, siginfo_t *info), (set, info), outside_leave())
AROUND(int, sigtimedwait, (const sigset_t *set, siginfo_t *info, const struct timespec *limit),
       (set, info, limit), outside_leave())
AROUND(ssize_t, mq_receive, (mqd_t q, char *to, size_t n, unsigned *priority), (q, to, n, priority),
       outside_leave())
AROUND(int, mq_send, (mqd_t q, const char *from, size_t n, unsigned priority),
       (q, from, n, priority), outside_leave())
AROUND(ssize_t, msgrcv, (int id, void *to, size_t n, long type, int flags),
       (id, to, n, type, flags), outside_leave())
AROUND(int, semop, (int id, struct sembuf *operations, size_t n), (id, operations, n),
       outside_leave())
AROUND(int, aio_suspend, (const struct aiocb *const list[], int n, const struct timespec *limit),
       (list, n, limit), outside_leave())
AROUND(int, aio_suspend64, (const struct aiocb64 *const *list, int n, const struct timespec *limit),
       (list, n, limit), outside_leave())
AROUND(int, lio_listio, (int mode, struct aiocb *const *list, int n, struct sigevent *event),
       (mode, list, n, event), if (mode == LIO_WAIT) outside_leave())
AROUND(int, getaddrinfo,
       (const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **to),
       (node, service, hints, to), outside_leave())
AROUND(struct hostent *, gethostbyname, (const char *name), (name), outside_leave())
AROUND(struct hostent *, gethostbyaddr, (const void *at, socklen_t n, int type), (at, n, type),
       outside_leave())
