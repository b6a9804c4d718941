#include "rt_stable/stall.h"

#include <signal.h>
#include <string.h>

#include "rt_stable/conf.h"
#include "rt_stable/msg.h"
#include "rt_stable/os.h"
#include "rt_stable/real.h"
#include "rt_stable/sched.h"

static uint32_t installed, said;

int64_t stall_patience(void)
{
	return conf.stall ? conf.stall * 1000000000 : -1;
}

/* In the thread that has the turn.  Inside the runtime it is on its way and nothing is wrong. */
static void handle(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	(void)context;
	struct sched_thread *t = sched_self;
	if (!t || t->bypass || t->hold || sched_state(t) != SCHED_GRANTED)
		return;
	t->bypass = 1;
	msg_flag(STABLE_FLAG_NONDET);
	if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
		msg_say("T%u kept its turn for %ld s after @%lx and left the schedule; if it waits "
			"for "
			"a variable there, see heddle_adhoc_wait()",
			t->tid, (long)conf.stall, (unsigned long)t->pc[0]);
	sched_nondet_begin(t);
	t->bypass = 0;
}

static void install(int number)
{
	struct sigaction action;
	if (__atomic_exchange_n(&installed, 1, __ATOMIC_RELAXED))
		return;
	memset(&action, 0, sizeof(action));
	action.sa_sigaction = handle;
	action.sa_flags = SA_SIGINFO | SA_RESTART;
	real.sigaction(number, &action, NULL);
}

void stall_suspect(uint64_t time)
{
	int number = SIGRTMAX - 2;
	/* A look without the turn: a wrong guess only sends a signal that does nothing. */
	struct sched_thread *head = __atomic_load_n(&sched.head, __ATOMIC_RELAXED);
	if (!head || head == sched_self || __atomic_load_n(&sched.time, __ATOMIC_RELAXED) != time)
		return;
	if (sched_state(head) != SCHED_GRANTED)
		return;
	install(number);
	os_call3(SYS_tgkill, os_getpid(), head->os_tid, number);
}
