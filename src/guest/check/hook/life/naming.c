/*
 * Names of threads: state that threads share.  The kernel's are left alone, because threads are not
 * the kernel's here.
 */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>

#include "guest/check/hook/memory/outside.h"
#include "guest/check/hook/memory/user.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/check/rec/hidden.h"
#include "guest/check/sched/state.h"
#include "guest/check/sched/thread.h"

static void set_name(struct rt_thread *t, const char *name, size_t n)
{
	undo_touch(t->name, sizeof(t->name));
	memset(t->name, 0, sizeof(t->name));
	memcpy(t->name, name, n);
}

/* A thread without a name of its own has the program's. */
static void get_name(const struct rt_thread *t, char to[16])
{
	const char *name = t->name[0] ? t->name : program_invocation_short_name;
	size_t n = strnlen(name, sizeof(t->name) - 1);

	memset(to, 0, sizeof(t->name));
	memcpy(to, name, n);
}

RT_EXPORT int pthread_setname_np(pthread_t handle, const char *name)
{
	if (!rt_controlled())
		return REAL(pthread_setname_np)(handle, name);
	struct rt_thread *t = thread_by_handle(handle);
	size_t length = strlen(name);

	if (length >= sizeof(t->name))
		return ERANGE;
	if (!t)
		return ESRCH;
	set_name(t, name, length);
	return 0;
}

RT_EXPORT int pthread_getname_np(pthread_t handle, char *to, size_t n)
{
	if (!rt_controlled())
		return REAL(pthread_getname_np)(handle, to, n);
	struct rt_thread *t = thread_by_handle(handle);
	char name[sizeof(t->name)];

	if (n < sizeof(t->name))
		return ERANGE;
	if (!t)
		return ESRCH;
	get_name(t, name);
	undo_touch(to, n);
	strcpy(to, name);
	return 0;
}

/* PR_SET_NAME and PR_GET_NAME of the calling thread. */
static void name_self(int option, char *at)
{
	struct outside_call k = {.effects = "", .site = sched_take_site()};
	struct rt_thread *t = rt_self();
	char name[sizeof(t->name)];

	outside_stand(k.site);
	if (option == PR_SET_NAME) {
		outside_reads_string(&k, (uint64_t)at, sizeof(t->name) - 1);
		hidden_do(hidden_named("thread-names"), k.read, false, k.site);
		set_name(t, at, strnlen(at, sizeof(t->name) - 1));
		return;
	}
	hidden_look(hidden_named("thread-names"), k.site);
	get_name(t, name);
	user_write(at, name, sizeof(name), k.site);
}

/* Settings of the process that neither touch its memory nor what its threads see. */
static bool is_harmless(int option)
{
	return option == PR_SET_PDEATHSIG || option == PR_SET_DUMPABLE || option == PR_GET_DUMPABLE ||
	       option == PR_SET_NO_NEW_PRIVS || option == PR_GET_NO_NEW_PRIVS ||
	       option == PR_SET_TIMERSLACK || option == PR_SET_CHILD_SUBREAPER ||
	       option == PR_SET_PTRACER;
}

RT_EXPORT int prctl(int option, ...)
{
	unsigned long a[4];
	va_list args;

	va_start(args, option);
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(args, unsigned long);
	va_end(args);
	if (rt_controlled() && (option == PR_SET_NAME || option == PR_GET_NAME)) {
		name_self(option, (char *)a[0]);
		return 0;
	}
	if (rt_controlled() && !is_harmless(option) && rt_thread_count > 1)
		rt_unseen(sched_take_site(), "prctl(%d)", option);
	return REAL(prctl)(option, a[0], a[1], a[2], a[3]);
}
