/* Handlers and masks: see signals.h. */
#include "guest/check/hook/system/signals.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "guest/check/engine/engine.h"
#include "guest/check/sched/upcall.h"
#include "guest/check/hook/system/ident.h"
#include "guest/check/hook/system/sigsend.h"
#include "guest/check/hook/system/sigwait.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/os/sys.h"
#include "guest/check/rec/rec.h"

struct signal_frame {
	struct signal_frame *outer;
	uint64_t blocked; /* the mask before the handler */
};

/* What the program asked for; the kernel has catch_one instead of its handlers. */
static struct sigaction asked[NSIG];
static uint64_t mask_of_main;
uint64_t hook_signals_came;

uint64_t signals_bits(const sigset_t *set)
{
	uint64_t bits;

	memcpy(&bits, set, sizeof(bits));
	return bits;
}

static void catch_one(int number)
{
	__atomic_fetch_or(&hook_signals_came, signals_bit(number), __ATOMIC_RELAXED);
}

void hook_take_signals(void)
{
	uint64_t came = __atomic_exchange_n(&hook_signals_came, 0, __ATOMIC_RELAXED);

	for (; came; came &= came - 1) {
		int number = __builtin_ctzll(came) + 1;

		rt_unseen(SITE_NONE, "signal %d came from outside", number);
		sigsend_process(number, 0);
	}
}

/* ---- dispositions ---- */

static bool is_handler(const struct sigaction *a)
{
	return (a->sa_flags & SA_SIGINFO) || (a->sa_handler != SIG_DFL && a->sa_handler != SIG_IGN);
}

static bool is_crash(int number)
{
	return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
	       number == SIGSYS || number == SIGTRAP;
}

enum signal_action signals_action(int number)
{
	const struct sigaction *a = &asked[number];

	if (is_handler(a))
		return SIGNAL_HANDLED;
	if (a->sa_handler == SIG_IGN)
		return SIGNAL_IGNORED;
	switch (number) {
	case SIGCHLD:
	case SIGURG:
	case SIGWINCH:
	case SIGCONT:
		return SIGNAL_IGNORED;
	case SIGSTOP:
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU:
		return SIGNAL_STOPS;
	default:
		return SIGNAL_FATAL;
	}
}

/* What the kernel is to do with a signal from outside. */
static void tell_kernel(int number, const struct sigaction *wanted, bool caught)
{
	struct sigaction real;

	/* The reset engine could not undo it, and there nobody outside knows the program. */
	if (engine_is_reset() || is_crash(number) || number == SIGKILL || number == SIGSTOP)
		return;
	memset(&real, 0, sizeof(real));
	real.sa_handler = caught ? catch_one : wanted->sa_handler;
	real.sa_flags = SA_RESTART;
	REAL(sigaction)(number, &real, NULL);
}

void signals_begin(void)
{
	int saved = errno;

	sys_call(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)&mask_of_main, sizeof(mask_of_main), 0, 0);
	for (int number = 1; number < NSIG; number++) {
		if (REAL(sigaction)(number, NULL, &asked[number]) < 0)
			continue;
		if (is_handler(&asked[number]))
			tell_kernel(number, &asked[number], true);
	}
	/* The C library keeps two signals to itself and says so. */
	errno = saved;
}

void signals_run_begin(void)
{
	rt_self()->sig_blocked = mask_of_main;
}

static int change(int number, const struct sigaction *wanted, struct sigaction *old)
{
	struct sigaction before;

	if (number <= 0 || number >= NSIG || (wanted && (number == SIGKILL || number == SIGSTOP))) {
		errno = EINVAL;
		return -1;
	}
	before = asked[number];
	if (wanted) {
		if (is_crash(number) && is_handler(wanted))
			rt_note("the program's handler for signal %d sees no crashes", number);
		undo_touch(&asked[number], sizeof(asked[number]));
		asked[number] = *wanted;
		sigsend_changed(number);
		tell_kernel(number, wanted, is_handler(wanted));
	}
	if (old) {
		undo_touch(old, sizeof(*old));
		*old = before;
	}
	return 0;
}

RT_EXPORT int sigaction(int number, const struct sigaction *restrict wanted,
			struct sigaction *restrict old)
{
	return rt_controlled() ? change(number, wanted, old) : REAL(sigaction)(number, wanted, old);
}

static sighandler_t set_handler(int number, sighandler_t handler, int flags)
{
	struct sigaction wanted, old;

	memset(&wanted, 0, sizeof(wanted));
	wanted.sa_handler = handler;
	wanted.sa_flags = flags;
	return change(number, &wanted, &old) < 0 ? SIG_ERR : old.sa_handler;
}

RT_EXPORT sighandler_t signal(int number, sighandler_t handler)
{
	return rt_controlled() ? set_handler(number, handler, SA_RESTART)
			       : REAL(signal)(number, handler);
}

/* What signal() is in sources that ask for POSIX or X/Open and nothing else. */
RT_EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler)
{
	return rt_controlled() ? set_handler(number, handler, SA_RESETHAND | SA_NODEFER)
			       : REAL(__sysv_signal)(number, handler);
}

/* Handlers run on the stack of their thread, which is large enough for them. */
RT_EXPORT int sigaltstack(const stack_t *restrict wanted, stack_t *restrict old)
{
	if (!rt_controlled())
		return REAL(sigaltstack)(wanted, old);
	if (old) {
		undo_touch(old, sizeof(*old));
		*old = (stack_t){.ss_flags = SS_DISABLE};
	}
	return 0;
}

/* ---- handlers ---- */

static void leave_frame(struct signal_frame *f)
{
	struct rt_thread *t = rt_self();

	t->sig_blocked = f->blocked;
	t->sig_frames = f->outer;
}

static void call_handler(const struct sigaction *a, siginfo_t *info)
{
	ucontext_t context;

	if (!rec_is_instrumented((const void *)a->sa_handler))
		undo_opaque();
	if (!(a->sa_flags & SA_SIGINFO)) {
		a->sa_handler(info->si_signo);
		return;
	}
	memset(&context, 0, sizeof(context));
	a->sa_sigaction(info->si_signo, info, &context);
}

/* Runs the handler of a signal that was taken; false when the interrupted call begins again. */
static bool run_handler(siginfo_t *info)
{
	struct rt_thread *t = rt_self();
	struct sigaction a = asked[info->si_signo];
	__attribute__((cleanup(leave_frame))) struct signal_frame f = {t->sig_frames,
								       t->sig_blocked};
	int saved = errno;

	t->sig_frames = &f;
	t->sig_blocked |= signals_bits(&a.sa_mask);
	if (!(a.sa_flags & SA_NODEFER))
		t->sig_blocked |= signals_bit(info->si_signo);
	if (a.sa_flags & SA_RESETHAND) {
		undo_touch(&asked[info->si_signo], sizeof(a));
		asked[info->si_signo] = (struct sigaction){.sa_handler = SIG_DFL};
	}
	rec_event(EVENT_HANDLER, t->last_site, 0, (uint64_t)info->si_signo, 0);
	t->spin_on = 0;
	call_handler(&a, info);
	/* The way back is through the kernel, and late stores must not undo what is put back here. */
	sched_drain(t->last_site);
	errno = saved;
	return !(a.sa_flags & SA_RESTART);
}

bool signals_handle(void)
{
	struct rt_thread *t = rt_self();
	bool broken_off = false;
	siginfo_t info;
	int number;

	sigsend_adopt(t);
	while ((number = signals_take(t, ~t->sig_blocked, &info)) != 0) {
		if (signals_action(number) == SIGNAL_HANDLED)
			broken_off |= run_handler(&info);
		else
			sigsend_default(number, t->last_site);
	}
	return broken_off;
}

void hook_signals(void)
{
	signals_handle();
}

void signals_jump(uint64_t sp, bool restores_mask)
{
	struct rt_thread *t = rt_self();

	while (t->sig_frames && (uint64_t)t->sig_frames < sp) {
		if (restores_mask)
			t->sig_blocked = t->sig_frames->blocked;
		t->sig_frames = t->sig_frames->outer;
	}
}

const char *hook_who_is_outside(void)
{
	if (ident_child_lives())
		return "a child process";
	for (int number = 1; number < NSIG; number++)
		if (!is_crash(number) && is_handler(&asked[number]))
			return "a signal from outside";
	return sigwait_anybody() ? "a signal from outside" : NULL;
}

/* ---- masks ---- */

void signals_set_mask(uint64_t blocked)
{
	struct rt_thread *t = rt_self();
	uint64_t fresh = blocked & ~t->sig_blocked;

	/* One from outside that is blocked has to wait, not to end the process. */
	for (; fresh; fresh &= fresh - 1) {
		int number = __builtin_ctzll(fresh) + 1;

		if (signals_action(number) == SIGNAL_FATAL)
			tell_kernel(number, NULL, true);
	}
	/* What is pending for it shows now. */
	if ((t->sig_blocked & ~blocked) && !sched_alone())
		sigsend_look(t->last_site);
	t->sig_blocked = blocked & ~(signals_bit(SIGKILL) | signals_bit(SIGSTOP));
	sigsend_adopt(t);
	if (thread_interrupted(t))
		signals_handle();
}

static int change_mask(int how, const sigset_t *set, sigset_t *old)
{
	uint64_t now = rt_self()->sig_blocked;
	uint64_t bits = set ? signals_bits(set) : 0; /* old may be the same memory */

	if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
		return EINVAL;
	if (old) {
		undo_touch(old, sizeof(*old));
		sigemptyset(old);
		memcpy(old, &now, sizeof(now));
	}
	if (set && how == SIG_BLOCK)
		signals_set_mask(now | bits);
	else if (set && how == SIG_UNBLOCK)
		signals_set_mask(now & ~bits);
	else if (set)
		signals_set_mask(bits);
	return 0;
}

RT_EXPORT int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	int failed;

	if (!rt_controlled())
		return REAL(sigprocmask)(how, set, old);
	failed = change_mask(how, set, old);
	if (failed)
		errno = failed;
	return failed ? -1 : 0;
}

RT_EXPORT int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	return rt_controlled() ? change_mask(how, set, old) : REAL(pthread_sigmask)(how, set, old);
}
