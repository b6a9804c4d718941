#include "guest/stable/hook/init.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "guest/stable/conf.h"
#include "guest/stable/hook/hook.h"
#include "guest/stable/msg.h"
#include "guest/stable/os.h"
#include "guest/stable/real.h"
#include "guest/stable/hints/site.h"
#include "guest/stable/sched/foreign.h"
#include "guest/stable/sched/nested.h"
#include "guest/stable/replay/replay.h"
#include "guest/stable/sched/policy.h"
#include "guest/stable/sched/stall.h"
#include "guest/stable/stack.h"
#include "guest/stable/hook/thread.h"

static enum { NOT_STARTED, STARTING, ACTIVE, OFF } state;
static bool finished;

bool init_is_active(void)
{
	return state == ACTIVE;
}

static const char *control_path(void)
{
	for (char **e = environ; e && *e; e++) {
		if (strncmp(*e, "HEDDLE_STABLE_CTL=", 18) == 0)
			return *e + 18;
	}
	return "";
}

/* Clang's OpenMP has a runtime of its own, which waits for variables. */
static void look_for_libomp(void)
{
	for (uint32_t i = 0; i < ctl->modules; i++) {
		if (!strstr(ctl->module[i].path, "/libomp.so"))
			continue;
		msg_flag(STABLE_FLAG_NONDET);
		msg_loose(STABLE_LOOSE_TEAM, 0);
		msg_say("the OpenMP teams of %s are not in the schedule; those of gcc would be",
			ctl->module[0].path);
	}
}

bool init_runtime(void)
{
	if (__builtin_expect(state != NOT_STARTED, 1))
		return state == ACTIVE;
	state = STARTING;
	real_init();
	msg_init(control_path());
	conf_init(environ);
	if (conf.policy == CONF_OFF) {
		state = OFF;
		msg_child_end();
		return false;
	}
	schedlog_init();
	profile_init();
	ctl->flags |= STABLE_FLAG_STARTED;
	stack_list_modules();
	look_for_libomp();
	hook_sites = site_init() ? &site_hooks : NULL;
	hook_special = conf.delay > 0 || hook_sites != NULL || conf.depth > 0;
	if (conf.depth)
		stack_init();
	stall_learned = hook_learn_stalls;
	policy_choose();
	replay_init();
	if (sched_policy->serial)
		msg_flag(STABLE_FLAG_SERIAL);
	struct sched_thread *t = thread_init_main();
	nested_init(conf.nested);
	if (nested_on)
		nested_born(t);
	sched_init(t);
	sched_self = t;
	state = ACTIVE;
	pthread_atfork(NULL, NULL, process_begin_child);
	return true;
}

void init_process_exit(void)
{
	if (!init_runtime())
		return;
	struct sched_thread *t = sched_self;
	if (nested_inside() && t->bypass)
		nested_ask(NESTED_EXIT, NULL, NULL, HOOK_CALLER);
	if (!t || t->hold || t->bypass)
		return;
	if (nested_on)
		nested_exits();
	hook_begin(HOOK_CALLER, STABLE_OP_THREAD_END);
	hook_log(t, STABLE_OP_THREAD_END, NULL, 0, 0);
	if (sched.live > 1)
		ctl->flags |= STABLE_FLAG_LIVE_AT_EXIT;
	/* Exit handlers run with the turn: all others stay where they are.  A handler that must
	 * wait for one of them passes the turn in the wait itself. */
	if (conf.exit == CONF_EXIT_HOLD)
		t->hold++;
	hook_end(t);
}

void init_finish(bool orderly)
{
	/* The child of a vfork only borrows this memory. */
	if (state != ACTIVE || finished || !msg_is_mine())
		return;
	finished = true;
	struct rusage usage;
	memset(&usage, 0, sizeof(usage));
	sys_call3(SYS_getrusage, RUSAGE_SELF, &usage, 0);
	ctl->switches_voluntary = usage.ru_nvcsw;
	ctl->switches_involuntary = usage.ru_nivcsw;
	stack_list_modules();
	for (int i = foreign_libraries(); i > 0; i--)
		msg_loose(STABLE_LOOSE_LIBRARY, 0);
	ctl->time = sched.time;
	ctl->idle_turns = sched.idle_turns;
	ctl->handoffs = sched.handoffs;
	ctl->sleeps = sched.sleeps;
	ctl->threads = sched.next_tid;
	ctl->peak = sched.peak;
	if (orderly)
		ctl->flags |= STABLE_FLAG_COMPLETE;
	schedlog_close(orderly);
	msg_child_end();
}

__attribute__((constructor)) static void start(void)
{
	init_runtime();
}

__attribute__((destructor)) static void finish(void)
{
	init_finish(true);
}
