#include "guest/check/hook/life/standing.h"

#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "guest/check/hook/system/ident.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/os/sys.h"
#include "guest/check/sched/core.h"
#include "guest/check/sched/state.h"

#define ALL_PROCESSORS ((1u << IDENT_PROCESSORS) - 1)
#define NICEST 19
#define ACTS_RESET SCHED_RESET_ON_FORK

/*
 * ---- what is inherited ----
 *
 * A new thread begins as its creator stands at that moment.  Who sets another thread's standing and
 * what that one creates are not ordered by any event, so that both together are told.
 */
static void note_set(struct rt_thread *t)
{
	undo_touch(&t->standing, sizeof(t->standing));
	if (t == rt_self())
		return;
	t->standing.by_another = 1;
	if (t->children)
		rt_unseen(sched_take_site(), "how a thread stands that has begun others is set");
}

static uint32_t attr_processors(const pthread_attr_t *attr, uint32_t otherwise)
{
	cpu_set_t set;
	uint32_t mask = 0;

	CPU_ZERO(&set);
	if (!attr || pthread_attr_getaffinity_np(attr, sizeof(set), &set) != 0)
		return otherwise;
	for (int i = 0; i < IDENT_PROCESSORS; i++)
		if (CPU_ISSET(i, &set))
			mask |= 1u << i;
	return mask == ALL_PROCESSORS ? otherwise : mask;
}

/* False when the thread begins as its creator stands. */
static bool attr_explicit(const pthread_attr_t *attr, int *policy, int *priority)
{
	struct sched_param param = {.sched_priority = 0};
	int inherits = PTHREAD_INHERIT_SCHED;

	if (!attr || pthread_attr_getinheritsched(attr, &inherits) != 0 ||
	    inherits != PTHREAD_EXPLICIT_SCHED)
		return false;
	pthread_attr_getschedpolicy(attr, policy);
	pthread_attr_getschedparam(attr, &param);
	*priority = param.sched_priority;
	return true;
}

void standing_begin(struct rt_thread *t, const pthread_attr_t *attr, uint32_t site)
{
	int policy, priority;

	if (rt_self()->standing.by_another)
		rt_unseen(site, "a thread is begun by one whose standing another has set");
	t->standing = rt_self()->standing;
	t->standing.by_another = 0;
	t->standing.processors = (uint8_t)attr_processors(attr, t->standing.processors);
	if (attr_explicit(attr, &policy, &priority)) {
		t->standing.policy = (uint8_t)policy;
		t->standing.priority = (uint8_t)priority;
	}
}

/* ---- what may be set ---- */

static bool may_do_anything(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2];

	return sys_call3(SYS_capget, &head, data, 0) == 0 &&
	       (data[CAP_TO_INDEX(CAP_SYS_NICE)].effective & CAP_TO_MASK(CAP_SYS_NICE));
}

static uint64_t limit_of(int which)
{
	struct rlimit limit = {0, 0};

	sys_call(SYS_prlimit64, 0, which, 0, (long)&limit, 0, 0);
	return limit.rlim_cur;
}

static bool may_be_so_nice(int nice)
{
	return (uint64_t)(NICEST + 1 - nice) <= limit_of(RLIMIT_NICE) || may_do_anything();
}

/* The kernel decides about real-time policies by more than rights: it is asked. */
static int try_real_time(int policy, int priority)
{
	struct sched_param param = {.sched_priority = 0}, wanted = {.sched_priority = priority};
	long old = sys_call3(SYS_sched_getscheduler, 0, 0, 0), result;

	sys_call3(SYS_sched_getparam, 0, &param, 0);
	result = sys_call3(SYS_sched_setscheduler, 0, policy, &wanted);
	if (result == 0)
		sys_call3(SYS_sched_setscheduler, 0, old, &param);
	return (int)-result;
}

static bool is_real_time(int policy)
{
	return policy == SCHED_FIFO || policy == SCHED_RR;
}

static int policy_allowed(int policy, int priority)
{
	if (is_real_time(policy))
		return priority < 1 || priority > 99 ? EINVAL : try_real_time(policy, priority);
	if (policy != SCHED_OTHER && policy != SCHED_BATCH && policy != SCHED_IDLE)
		return EINVAL;
	return priority == 0 ? 0 : EINVAL;
}

int standing_asked(const pthread_attr_t *attr)
{
	int policy, priority;

	return attr_explicit(attr, &policy, &priority) ? policy_allowed(policy, priority) : 0;
}

/* What the process began with; it never changes. */
static int nice_at_start(void)
{
	return 20 - (int)sys_call3(SYS_getpriority, PRIO_PROCESS, 0, 0);
}

static int nice_of(const struct rt_thread *t)
{
	return nice_at_start() + t->standing.nicer;
}

/* ---- policies and priorities ---- */

static int set_policy(struct rt_thread *t, int policy, int priority)
{
	int refused = policy_allowed(policy, priority);

	if (!t)
		return ESRCH;
	if (!refused && t->standing.policy == SCHED_IDLE && policy != SCHED_IDLE &&
	    !may_be_so_nice(nice_of(t)))
		refused = EPERM;
	if (refused)
		return refused;
	note_set(t);
	t->standing.policy = (uint8_t)policy;
	t->standing.priority = (uint8_t)priority;
	return 0;
}

RT_EXPORT int pthread_setschedparam(pthread_t handle, int policy, const struct sched_param *param)
{
	return rt_controlled() ? set_policy(thread_by_handle(handle), policy, param->sched_priority)
			       : REAL(pthread_setschedparam)(handle, policy, param);
}

RT_EXPORT int pthread_getschedparam(pthread_t handle, int *policy, struct sched_param *param)
{
	if (!rt_controlled())
		return REAL(pthread_getschedparam)(handle, policy, param);
	struct rt_thread *t = thread_by_handle(handle);

	if (!t)
		return ESRCH;
	undo_touch(policy, sizeof(*policy));
	undo_touch(param, sizeof(*param));
	*policy = t->standing.policy;
	memset(param, 0, sizeof(*param));
	param->sched_priority = t->standing.priority;
	return 0;
}

RT_EXPORT int pthread_setschedprio(pthread_t handle, int priority)
{
	if (!rt_controlled())
		return REAL(pthread_setschedprio)(handle, priority);
	struct rt_thread *t = thread_by_handle(handle);

	return t ? set_policy(t, t->standing.policy, priority) : ESRCH;
}

/* The thread that a number stands for: 0 is the caller. */
static struct rt_thread *numbered(pid_t pid)
{
	struct rt_thread *t = pid == 0 ? rt_self() : NULL;

	if (pid >= IDENT_PID)
		t = thread_by_tid((uint32_t)(pid - IDENT_PID));
	return t && t->state != THREAD_FINISHED && t->state != THREAD_GONE ? t : NULL;
}

static int as_errno(int failed)
{
	if (failed)
		errno = failed;
	return failed ? -1 : 0;
}

RT_EXPORT int sched_setscheduler(pid_t pid, int policy, const struct sched_param *param)
{
	if (!rt_controlled())
		return REAL(sched_setscheduler)(pid, policy, param);
	if (policy & ACTS_RESET)
		rt_unseen(sched_take_site(), "SCHED_RESET_ON_FORK");
	return as_errno(set_policy(numbered(pid), policy & ~ACTS_RESET, param->sched_priority));
}

RT_EXPORT int sched_getscheduler(pid_t pid)
{
	if (!rt_controlled())
		return REAL(sched_getscheduler)(pid);
	struct rt_thread *t = numbered(pid);

	return t ? t->standing.policy : as_errno(ESRCH);
}

RT_EXPORT int sched_setparam(pid_t pid, const struct sched_param *param)
{
	if (!rt_controlled())
		return REAL(sched_setparam)(pid, param);
	struct rt_thread *t = numbered(pid);

	return as_errno(t ? set_policy(t, t->standing.policy, param->sched_priority) : ESRCH);
}

RT_EXPORT int sched_getparam(pid_t pid, struct sched_param *param)
{
	if (!rt_controlled())
		return REAL(sched_getparam)(pid, param);
	struct rt_thread *t = numbered(pid);

	if (!t)
		return as_errno(ESRCH);
	undo_touch(param, sizeof(*param));
	memset(param, 0, sizeof(*param));
	param->sched_priority = t->standing.priority;
	return 0;
}

static int set_nice(struct rt_thread *t, int nice, int refusal)
{
	if (nice < -20)
		nice = -20;
	if (nice > NICEST)
		nice = NICEST;
	if (nice < nice_of(t) && !may_be_so_nice(nice))
		return as_errno(refusal);
	note_set(t);
	t->standing.nicer = (int8_t)(nice - nice_at_start());
	return 0;
}

RT_EXPORT int setpriority(__priority_which_t which, id_t who, int nice)
{
	if (!rt_controlled())
		return REAL(setpriority)(which, who, nice);
	if (which == PRIO_PROCESS)
		return numbered((pid_t)who) ? set_nice(numbered((pid_t)who), nice, EACCES)
					    : as_errno(ESRCH);
	rt_unseen(sched_take_site(), "setpriority() of a group or a user");
	return 0;
}

RT_EXPORT int getpriority(__priority_which_t which, id_t who)
{
	if (!rt_controlled())
		return REAL(getpriority)(which, who);
	if (which == PRIO_PROCESS)
		return numbered((pid_t)who) ? nice_of(numbered((pid_t)who)) : as_errno(ESRCH);
	rt_unseen(sched_take_site(), "getpriority() of a group or a user");
	return REAL(getpriority)(which, who);
}

RT_EXPORT int nice(int more)
{
	if (!rt_controlled())
		return REAL(nice)(more);
	if (set_nice(rt_self(), nice_of(rt_self()) + more, EPERM) != 0)
		return -1;
	return nice_of(rt_self());
}

/* ---- processors ---- */

static uint32_t processors_of(const struct rt_thread *t)
{
	return t->standing.processors ? t->standing.processors : ALL_PROCESSORS;
}

RT_EXPORT int sched_getcpu(void)
{
	if (!rt_controlled())
		return REAL(sched_getcpu)();
	uint32_t mask = processors_of(rt_self());

	if (rt_thread_count > 1 && (mask & (mask - 1)))
		rt_unseen(sched_take_site(), "on which processor a thread runs was not varied");
	return __builtin_ctz(mask);
}

static int set_processors(struct rt_thread *t, size_t n, const cpu_set_t *set)
{
	uint32_t mask = 0;

	if (!t)
		return ESRCH;
	for (size_t i = 0; i < IDENT_PROCESSORS && i < n * 8; i++)
		if (CPU_ISSET_S(i, n, set))
			mask |= 1u << i;
	if (!mask)
		return EINVAL;
	note_set(t);
	t->standing.processors = mask == ALL_PROCESSORS ? 0 : (uint8_t)mask;
	return 0;
}

static int get_processors(const struct rt_thread *t, size_t n, cpu_set_t *set)
{
	if (!t)
		return ESRCH;
	if (n < sizeof(unsigned long))
		return EINVAL;
	undo_touch(set, n);
	memset(set, 0, n);
	for (size_t i = 0; i < IDENT_PROCESSORS; i++)
		if (processors_of(t) >> i & 1)
			CPU_SET_S(i, n, set);
	return 0;
}

RT_EXPORT int sched_getaffinity(pid_t pid, size_t n, cpu_set_t *set)
{
	return rt_controlled() ? as_errno(get_processors(numbered(pid), n, set))
			       : REAL(sched_getaffinity)(pid, n, set);
}

RT_EXPORT int sched_setaffinity(pid_t pid, size_t n, const cpu_set_t *set)
{
	return rt_controlled() ? as_errno(set_processors(numbered(pid), n, set))
			       : REAL(sched_setaffinity)(pid, n, set);
}

RT_EXPORT int pthread_setaffinity_np(pthread_t handle, size_t n, const cpu_set_t *set)
{
	return rt_controlled() ? set_processors(thread_by_handle(handle), n, set)
			       : REAL(pthread_setaffinity_np)(handle, n, set);
}

RT_EXPORT int pthread_getaffinity_np(pthread_t handle, size_t n, cpu_set_t *set)
{
	return rt_controlled() ? get_processors(thread_by_handle(handle), n, set)
			       : REAL(pthread_getaffinity_np)(handle, n, set);
}

/* ---- time used ---- */

/* The kernel's answer is taken as it comes, and says more than virtual time: who was first. */
RT_EXPORT int getrusage(__rusage_who_t who, struct rusage *usage)
{
	if (!rt_controlled())
		return REAL(getrusage)(who, usage);
	if (!sched_alone())
		rt_unseen(sched_take_site(), "what getrusage() says beside other threads");
	undo_touch(usage, sizeof(*usage));
	return REAL(getrusage)(who, usage);
}
