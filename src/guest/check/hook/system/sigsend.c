#include "guest/check/hook/system/sigsend.h"

#include <errno.h>
#include <string.h>

#include "guest/check/hook/call.h"
#include "guest/check/hook/system/ident.h"
#include "guest/check/hook/system/sigwait.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/check/rec/hidden.h"
#include "guest/check/rec/pending.h"
#include "guest/check/rec/rec.h"

/* For the process, while every thread blocks it. */
static RT_RUN uint64_t pending_process;

/* Signals that were sent, and whose handling changed while there were several threads. */
static RT_RUN uint64_t sent_ever, changed_late;

/*
 * ---- as state that threads share ----
 *
 * Ordinary memory to a search, at addresses of hidden state: who waits for a signal stands still
 * until one of its last reads would find something else, which counts reads of memory.
 */
#define SHARED_AUX ORDER_SEQ_CST

static uint64_t thread_cell(const struct rt_thread *t)
{
	return hidden_cell(HIDDEN_OTHER, t->key);
}

static uint64_t process_cell(void)
{
	return hidden_cell(HIDDEN_OTHER, 0);
}

static uint64_t thread_state(const struct rt_thread *t)
{
	return pending_state(t->tid, t->sig_pending);
}

static uint64_t process_state(void)
{
	return pending_state(PENDING_PROCESS, pending_process);
}

void sigsend_look(uint32_t site)
{
	struct rt_thread *t = rt_self();
	struct rt_op op = {.kind = EVENT_READ,
			   .size = 8,
			   .site = site,
			   .addr = thread_cell(t),
			   .aux = SHARED_AUX};

	sched_step(&op);
	rec_access(EVENT_READ, 8, site, op.addr, thread_state(t), op.aux);
	rec_access(EVENT_READ, 8, site, process_cell(), process_state(),
		   SHARED_AUX | EVENT_GLUED);
}

static void record_update(uint64_t cell, uint64_t from, uint64_t to)
{
	uint32_t site = rt_self()->last_site;

	rec_access(EVENT_READ, 8, site, cell, from, SHARED_AUX | EVENT_GLUED);
	rec_access(EVENT_WRITE, 8, site, cell, to, SHARED_AUX | EVENT_GLUED);
}

/* It comes to those that wait for t, or is lost; either way what was there is looked at. */
static void add(struct rt_thread *t, int number, struct pending_signal what)
{
	uint64_t before = thread_state(t);

	if (pending_add(t->tid, number, what))
		t->sig_pending |= signals_bit(number);
	record_update(thread_cell(t), before, thread_state(t));
}

static void add_to_process(int number, struct pending_signal what)
{
	uint64_t before = process_state();

	if (pending_add(PENDING_PROCESS, number, what))
		pending_process |= signals_bit(number);
	record_update(process_cell(), before, process_state());
}

static struct pending_signal remove_first(struct rt_thread *t, int number)
{
	uint64_t before = thread_state(t);
	bool more;
	struct pending_signal what = pending_remove(t->tid, number, &more);

	if (!more)
		t->sig_pending &= ~signals_bit(number);
	record_update(thread_cell(t), before, thread_state(t));
	return what;
}

static struct pending_signal remove_from_process(int number)
{
	uint64_t before = process_state();
	bool more;
	struct pending_signal what = pending_remove(PENDING_PROCESS, number, &more);

	if (!more)
		pending_process &= ~signals_bit(number);
	record_update(process_cell(), before, process_state());
	return what;
}

static void tell_unordered(int number, uint32_t site)
{
	rt_unseen(site, "signal %d is sent while its handling changes", number);
}

static void note_sent(int number, uint32_t site)
{
	sent_ever |= signals_bit(number);
	if (changed_late & signals_bit(number))
		tell_unordered(number, site);
}

void sigsend_changed(int number)
{
	if (sched_alone())
		return;
	changed_late |= signals_bit(number);
	if (sent_ever & signals_bit(number))
		tell_unordered(number, SITE_NONE);
}

/* ---- pending signals ---- */

static bool is_alive(const struct rt_thread *t)
{
	return t->state != THREAD_FINISHED && t->state != THREAD_GONE;
}

uint64_t signals_pending(const struct rt_thread *t)
{
	return t->sig_pending | pending_process;
}

static void make_pending(struct rt_thread *t, int number, struct pending_signal what)
{
	add(t, number, what);
	if (t != rt_self() && t->op)
		sched_wake(t->op->addr);
	sched_wake_io();
}

/* The lowest number of those that are for the process and that the thread can have, too; else 0. */
static int adoptable(const struct rt_thread *t)
{
	uint64_t lost = t->sig_pending & ((UINT64_C(1) << (SIGRTMIN - 1)) - 1);
	uint64_t mine = pending_process & ~t->sig_blocked & ~lost;

	return mine ? __builtin_ctzll(mine) + 1 : 0;
}

void sigsend_adopt(struct rt_thread *t)
{
	int number;

	while ((number = adoptable(t)) != 0)
		add(t, number, remove_from_process(number));
}

int signals_take(struct rt_thread *t, uint64_t set, siginfo_t *info)
{
	uint64_t own = t->sig_pending & set, all = own | (pending_process & set);
	struct pending_signal s;
	int number;

	if (!all)
		return 0;
	number = __builtin_ctzll(all) + 1;
	s = own & signals_bit(number) ? remove_first(t, number) : remove_from_process(number);
	memset(info, 0, sizeof(*info));
	info->si_signo = number;
	info->si_code = s.code;
	info->si_pid = IDENT_PID;
	info->si_value.sival_ptr = (void *)s.value;
	return number;
}

void sigsend_default(int number, uint32_t site)
{
	switch (signals_action(number)) {
	case SIGNAL_FATAL:
		if (number == SIGABRT)
			rt_fail(FAILURE_ABORT, site, 0, 0, "raise(SIGABRT)");
		rt_fail(FAILURE_SIGNAL, site, 0, (uint64_t)number, "signal %d ends the process",
			number);
	case SIGNAL_STOPS:
		rt_unseen(site, "signal %d stops the process", number);
		break;
	default:
		break;
	}
}

/* Whether nothing comes of it: nobody blocks it, waits for it or handles it. */
static bool has_no_effect(const struct rt_thread *t, int number)
{
	return !(t->sig_blocked & signals_bit(number)) && !sigwait_is_wanted(t, number) &&
	       signals_action(number) != SIGNAL_HANDLED;
}

void signals_send(struct rt_thread *t, int number, uint64_t value, uint32_t site)
{
	if (!is_alive(t))
		return;
	note_sent(number, site);
	if (has_no_effect(t, number)) {
		sigsend_default(number, site);
		return;
	}
	make_pending(t, number, (struct pending_signal){value, SI_TKILL});
	if (t != rt_self() && thread_interrupted(t))
		rt_unseen(site, "not every place where signal %d may interrupt a thread is tried",
			  number);
	if (t == rt_self() && thread_interrupted(t))
		signals_handle();
}

/*
 * A thread that does not block it; one of them is drawn.  Where all block it, it stays pending, and
 * who waits for it takes it.
 */
static struct rt_thread *receiver(int number)
{
	struct rt_thread *able[WIRE_MAX_LIVE], *t;
	uint32_t n = 0;

	for (uint32_t tid = 0; (t = thread_by_tid(tid)) != NULL; tid++)
		if (is_alive(t) && n < WIRE_MAX_LIVE && !(t->sig_blocked & signals_bit(number)) &&
		    !sigwait_is_wanted(t, number))
			able[n++] = t;
	if (n > 1 && signals_action(number) == SIGNAL_HANDLED)
		rt_unseen(SITE_NONE, "signal %d is for one of several threads", number);
	return n ? able[sched_pick(n)] : NULL;
}

void sigsend_process(int number, uint64_t value)
{
	struct pending_signal what = {value, SI_USER};
	struct rt_thread *t;

	note_sent(number, SITE_NONE);
	if (signals_action(number) == SIGNAL_IGNORED)
		return;
	t = receiver(number);
	if (t && has_no_effect(t, number)) {
		sigsend_default(number, SITE_NONE);
	} else if (t) {
		make_pending(t, number, what);
	} else {
		add_to_process(number, what);
		sigwait_wake();
	}
}

void signals_send_process(int number, uint64_t value, uint32_t site)
{
	sigsend_process(number, value);
	for (uint32_t tid = 0; thread_by_tid(tid); tid++)
		if (thread_by_tid(tid) != rt_self() && thread_interrupted(thread_by_tid(tid)))
			rt_unseen(site,
				  "not every place where signal %d may interrupt a thread is tried",
				  number);
	if (thread_interrupted(rt_self()))
		signals_handle();
}

/* ---- the functions ---- */

/* Sending is a step of its own when somebody else may get the signal. */
static uint32_t send_step(uint32_t tid, int number)
{
	struct rt_op op = call_op(EVENT_KILL, NULL, NULL);

	op.aux = tid;
	op.value = (uint64_t)number;
	sched_step(&op);
	rec_event(EVENT_KILL, op.site, 0, (uint64_t)number, tid);
	return op.site;
}

static int send_to_thread(pthread_t handle, int number, uint64_t value)
{
	struct rt_thread *t = thread_by_handle(handle);
	uint32_t site;

	if (!t)
		return ESRCH;
	if (number < 0 || number >= NSIG)
		return EINVAL;
	if (number == 0)
		return 0;
	site = send_step(t->tid, number);
	t = thread_by_handle(handle);
	if (t)
		signals_send(t, number, value, site);
	return t ? 0 : ESRCH;
}

RT_EXPORT int pthread_kill(pthread_t handle, int number)
{
	return rt_controlled() ? send_to_thread(handle, number, 0)
			       : REAL(pthread_kill)(handle, number);
}

RT_EXPORT int pthread_sigqueue(pthread_t handle, int number, const union sigval value)
{
	return rt_controlled() ? send_to_thread(handle, number, (uint64_t)value.sival_ptr)
			       : REAL(pthread_sigqueue)(handle, number, value);
}

RT_EXPORT int raise(int number)
{
	uint32_t site;

	if (!rt_controlled())
		return REAL(raise)(number);
	if (number <= 0 || number >= NSIG) {
		errno = EINVAL;
		return -1;
	}
	/* Others may have sent it too. */
	if (rt_self()->sig_blocked & signals_bit(number))
		site = send_step(rt_self()->tid, number);
	else
		site = sched_take_site();
	signals_send(rt_self(), number, 0, site);
	return 0;
}

static int send_to_self(int number, uint64_t value)
{
	if (number < 0 || number >= NSIG) {
		errno = EINVAL;
		return -1;
	}
	if (number)
		signals_send_process(number, value, send_step(THREAD_NONE, number));
	return 0;
}

RT_EXPORT int kill(pid_t pid, int number)
{
	int result;

	if (!rt_controlled())
		return REAL(kill)(pid, number);
	if (pid == IDENT_PID)
		return send_to_self(number, 0);
	rt_irreversible("kill(%d, %d)", pid, number);
	result = REAL(kill)(ident_real(pid), number);
	sched_wake_io();
	return result;
}

RT_EXPORT int sigqueue(pid_t pid, int number, const union sigval value)
{
	if (!rt_controlled())
		return REAL(sigqueue)(pid, number, value);
	if (pid == IDENT_PID)
		return send_to_self(number, (uint64_t)value.sival_ptr);
	rt_irreversible("sigqueue(%d, %d)", pid, number);
	return REAL(sigqueue)(ident_real(pid), number, value);
}
