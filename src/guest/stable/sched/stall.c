#include "guest/stable/sched/stall.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "guest/stable/conf.h"
#include "guest/stable/msg.h"
#include "guest/stable/os.h"
#include "guest/stable/real.h"
#include "guest/stable/probe.h"
#include "guest/stable/sched/sched.h"
#include "guest/stable/sched/schedlog.h"
#include "guest/stable/stack.h"

#define PLACES 64
#define FRAMES 12
#define FIRST_LOOK_NS 50000000 /* for somebody who spins, … */
#define KNOWN_LOOK_NS 500000   /* … where somebody did before */
#define ROUNDS_MAX 1024	       /* that a spinning thread is passed over */
#define LOOKS 1024	       /* threads that are looked at */
#define SIGNAL (SIGRTMAX - 2)

/* Sites of operations; only the thread that has the turn adds one. */
struct places {
	uintptr_t site[PLACES];
	uint32_t count;
};

static uint32_t installed;
static struct places left_behind;      /* after which a turn was kept too long */
static struct places spun;	       /* after which somebody waited for memory */
static uint64_t stuck_at, stuck_since; /* logical time that does not pass, and since when */
static bool is_over;		       /* the holder is to be left behind, not only looked at */
void (*stall_learned)(void);

static bool is_known(const struct places *p, uintptr_t site)
{
	uint32_t count = __atomic_load_n(&p->count, __ATOMIC_ACQUIRE);
	for (uint32_t i = 0; i < count && i < PLACES; i++) {
		if (p->site[i] == site)
			return true;
	}
	return false;
}

static void learn(struct places *p, uintptr_t site)
{
	uint32_t count = p->count;
	if (count >= PLACES || !site || is_known(p, site))
		return;
	p->site[count] = site;
	__atomic_store_n(&p->count, count + 1, __ATOMIC_RELEASE);
}

bool stall_is_known(uintptr_t site)
{
	return is_known(&left_behind, site);
}

/* How long the logical time has stood still: the looks become rarer, a computation is the rule. */
int64_t stall_patience(void)
{
	if (!conf.stall)
		return -1;
	int64_t limit = conf.stall * 1000000000;
	const struct sched_thread *head = __atomic_load_n(&sched.head, __ATOMIC_RELAXED);
	bool known = head && spun.count && is_known(&spun, (uintptr_t)head->pc[0]);
	int64_t first = known ? KNOWN_LOOK_NS : FIRST_LOOK_NS, stuck = 0;
	if (__atomic_load_n(&stuck_at, __ATOMIC_RELAXED) ==
	    __atomic_load_n(&sched.time, __ATOMIC_RELAXED))
		stuck = (int64_t)(sys_monotonic_ns() -
				  __atomic_load_n(&stuck_since, __ATOMIC_RELAXED));
	int64_t next = stuck > first ? stuck : first;
	if (stuck < limit && stuck + next > limit)
		next = limit - stuck;
	return next < limit ? next : limit;
}

/* heddle shows this at once, not when the program ends. */
static void report(const struct sched_thread *t, uintptr_t at)
{
	uint64_t pc[FRAMES];
	uint32_t count = stack_capture(at, pc, FRAMES);
	stack_list_modules();
	msg_say("T%u kept its turn for %ld s after @%lx and left the schedule, here:", t->tid,
		(long)conf.stall, (unsigned long)t->pc[0]);
	for (uint32_t i = 0; i < count; i++)
		msg_say("    %s @%lx", i ? "by" : "at", (unsigned long)pc[i]);
	msg_say("    if it waits for memory there, run with --policy=serial or use "
		"heddle_adhoc_wait(); if it computes, raise --stall");
	msg_urgent();
}

/* Everybody but the caller stands still: what it waits for can only come by a turn. */
static bool is_quiet(void)
{
	return __atomic_load_n(&sched.awake, __ATOMIC_ACQUIRE) == 1;
}

static bool is_ready(const struct sched_thread *t)
{
	return t && !t->bypass && !t->hold && sched_state(t) == SCHED_GRANTED;
}

static bool computes(const struct sched_thread *t)
{
	return !t->bypass && !t->hold && !t->finished && sched_state(t) == SCHED_RUN;
}

/*
 * The calling thread, which has the turn, waits for memory while all others wait for their turns:
 * they have them, and it looks again.  That comes at the same place of the schedule in every run.
 * The longer it lasts the more turns the others have.
 */
static void hand_on(void)
{
	struct sched_thread *t = sched_self;
	struct schedlog_op entry = {.op = STABLE_OP_YIELD};
	if (t && computes(t)) {
		/* Not its turn: it looks again when it is. */
		t->bypass = 1;
		sched_await_turn(t);
		t->bypass = 0;
		return;
	}
	if (!is_ready(t) || !is_quiet())
		return;
	uint32_t rounds = t->spin_rounds ? t->spin_rounds * 2 : 1;
	t->bypass = 1;
	learn(&spun, t->pc[0]);
	sched_get_turn(t);
	if (schedlog_active)
		schedlog_write(t, &entry);
	sched_let_others(t, rounds < ROUNDS_MAX ? rounds : ROUNDS_MAX);
	t->spin_rounds = rounds < ROUNDS_MAX ? rounds : ROUNDS_MAX;
	t->bypass = 0;
}

static void leave_behind(struct sched_thread *t, const ucontext_t *interrupted)
{
	t->bypass = 1;
	msg_flag(STABLE_FLAG_NONDET);
	msg_loose(STABLE_LOOSE_STALL, t->pc[0]);
	if (!stall_is_known(t->pc[0])) {
		learn(&left_behind, t->pc[0]);
		if (stall_learned)
			stall_learned();
		report(t, (uintptr_t)interrupted->uc_mcontext.gregs[REG_RIP]);
	}
	sched_nondet_begin(t);
	t->bypass = 0;
}

/* In the thread that has the turn.  Inside the runtime it is on its way and nothing is wrong. */
static void handle(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	struct sched_thread *t = sched_self;
	ucontext_t *interrupted = context;
	if (!t || (!is_ready(t) && !computes(t)))
		return;
	if (is_ready(t) && __atomic_exchange_n(&is_over, false, __ATOMIC_ACQ_REL))
		leave_behind(t, interrupted);
	else if (probe_in_futex(interrupted))
		hand_on();
	else
		probe_begin(interrupted, hand_on);
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

/*
 * Whether a signal does no harm: the thread runs, or waits in a futex call, which is made again.
 * Other calls may not be.
 */
static bool may_look(int os_tid)
{
	char path[64], text[64] = "";
	fmt_text(path, sizeof(path), "/proc/self/task/%d/syscall", os_tid);
	int fd = os_open(path, O_RDONLY, 0);
	if (fd < 0)
		return false;
	long n = sys_read(fd, text, sizeof(text) - 1);
	sys_close(fd);
	return n > 4 && (strncmp(text, "running", 7) == 0 || strncmp(text, "202 ", 4) == 0);
}

/* Nanoseconds for which the logical time has been this. */
static uint64_t stuck_for(uint64_t time)
{
	uint64_t now = sys_monotonic_ns();
	if (__atomic_exchange_n(&stuck_at, time, __ATOMIC_RELAXED) != time ||
	    __atomic_load_n(&stuck_since, __ATOMIC_RELAXED) == 0)
		__atomic_store_n(&stuck_since, now, __ATOMIC_RELAXED);
	return now - __atomic_load_n(&stuck_since, __ATOMIC_RELAXED);
}

static void look_at(const struct sched_thread *t)
{
	if (may_look(t->os_tid))
		sys_call3(SYS_tgkill, sys_getpid(), t->os_tid, SIGNAL);
}

/*
 * Those who compute may wait for memory as well; the list may change meanwhile, and a wrong guess
 * only sends a signal that does nothing.
 */
static void look_at_others(const struct sched_thread *head)
{
	const struct sched_thread *t = __atomic_load_n(&sched.all, __ATOMIC_RELAXED);
	for (int n = 0; t && n < LOOKS; t = t->all_next, n++) {
		if (t != head && t != sched_self && t->os_tid && computes(t))
			look_at(t);
	}
}

void (*stall_unseen)(struct sched_thread *t);

void stall_suspect(uint64_t time, uint64_t slept)
{
	if (stall_unseen)
		stall_unseen(sched_self);
	uint64_t limit = (uint64_t)conf.stall * 1000000000;
	/* A look without the turn. */
	struct sched_thread *head = __atomic_load_n(&sched.head, __ATOMIC_RELAXED);
	if (!head && __atomic_load_n(&sched.nondet, __ATOMIC_RELAXED) == 0)
		sched_look_again(sched_self);
	if (!head || head == sched_self || __atomic_load_n(&sched.time, __ATOMIC_RELAXED) != time)
		return;
	if (sched_state(head) != SCHED_GRANTED)
		return;
	install(SIGNAL);
	if (stuck_for(time) + slept >= limit) {
		__atomic_store_n(&is_over, true, __ATOMIC_RELEASE);
		sys_call3(SYS_tgkill, sys_getpid(), head->os_tid, SIGNAL);
	} else if (is_quiet()) {
		look_at(head);
	} else {
		look_at_others(head);
	}
}
