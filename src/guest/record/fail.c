/*
 * How the process fails: fatal signals, abort, assertions.  The place is noted in the control
 * block, then things take the course they would have taken: the disposition is the program's again
 * and the signal comes once more.  Handlers of the program run as before; while one does, the
 * thread's bits go to a stream of the handler's own, because where it came in is no function of the
 * path.
 */
#include "guest/record/record.h"

#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unwind.h>

#include "guest/os/fmt.h"
#include "guest/os/real.h"
#include "guest/os/sys.h"

#define LOW_ADDRESS 65536u		/* no code is there */
#define PATIENCE_NS UINT64_C(500000000) /* with another thread that fails, too */

static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};

/* What the program asked for; handler NULL: nothing. */
static struct sigaction wanted[_NSIG];
static uint64_t ours;	   /* signals with our handler in front */
static uint32_t described; /* the failure is noted, whole */

static bool is_fatal(int number)
{
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		if (fatal[i] == number)
			return true;
	return false;
}

struct walk {
	struct record_failure *f;
	uint64_t from; /* frames before this address belong to the handler */
	bool begun;
};

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *arg)
{
	struct walk *w = arg;
	uint64_t pc = (uint64_t)_Unwind_GetIP(context);

	w->begun |= pc == w->from || !w->from;
	if (!w->begun)
		return _URC_NO_REASON;
	if (w->f->depth >= RECORD_MAX_STACK)
		return _URC_END_OF_STACK;
	w->f->stack[w->f->depth++] = pc;
	return _URC_NO_REASON;
}

/*
 * No frame belongs to a place that is no code: a call through a pointer that led nowhere has left
 * its return address on the stack.  The stack itself may be what is broken.
 */
static void add_caller(struct record_failure *f, uint64_t at)
{
	uint64_t caller = 0;
	struct iovec here = {&caller, sizeof(caller)},
		     there = {(void *)(uintptr_t)at, sizeof(caller)};

	if (sys_call(SYS_process_vm_readv, sys_getpid(), (long)&here, 1, (long)&there, 1, 0) ==
	    (long)sizeof(caller))
		f->stack[f->depth++] = caller;
}

/* The failure that came first is the failure; false: another thread has it. */
static bool claim(struct record_failure *f)
{
	uint32_t none = 0;

	return __atomic_compare_exchange_n(&f->claimed, &none, (uint32_t)sys_gettid(), false,
					   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static void describe(struct record_failure *f, const siginfo_t *info, const ucontext_t *context)
{
	struct walk w = {f, (uint64_t)context->uc_mcontext.gregs[REG_RIP], false};

	f->thread = rec_self.row ? rec_self.id : RECORD_NO_THREAD;
	f->signal = info->si_signo;
	f->code = info->si_code;
	f->address = info->si_code > 0 ? (uint64_t)(uintptr_t)info->si_addr : 0;
	f->pc = w.from;
	f->depth = 0;
	/* Should walking the stack fail, what is known is there already. */
	__atomic_store_n(&f->kind,
			 info->si_signo != SIGABRT ? RECORD_FAIL_SIGNAL
			 : f->text[0]		   ? RECORD_FAIL_ASSERT
						   : RECORD_FAIL_ABORT,
			 __ATOMIC_RELEASE);
	if (w.from >= LOW_ADDRESS)
		_Unwind_Backtrace(add_frame, &w);
	if (!f->depth)
		f->stack[f->depth++] = w.from;
	if (f->depth == 1)
		add_caller(f, (uint64_t)context->uc_mcontext.gregs[REG_RSP]);
}

/* What an assertion of this thread has said; it becomes the failure when its abort comes first. */
static __thread struct {
	const char *format, *file, *function, *expression; /* format NULL: nothing */
	unsigned line;
} said __attribute__((tls_model("initial-exec")));

static void describe_abort(struct record_failure *f, const siginfo_t *info,
			   const ucontext_t *context)
{
	if (said.format && info->si_signo == SIGABRT)
		fmt_text(f->text, sizeof(f->text), said.format, said.file, said.line, said.function,
			 said.expression);
	describe(f, info, context);
}

/* Another thread fails at the same time: the process must not end before it is noted. */
static void wait_for_other(const struct record_failure *f)
{
	uint64_t until = sys_monotonic_ns() + PATIENCE_NS;

	/* What the host has claimed it knows already. */
	while (f->claimed != (uint32_t)sys_gettid() && f->claimed != UINT32_MAX &&
	       sys_monotonic_ns() < until && !__atomic_load_n(&described, __ATOMIC_ACQUIRE))
		sys_call(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
}

static void restore_default(int number)
{
	struct sigaction plain = {.sa_handler = SIG_DFL};

	__atomic_fetch_and(&ours, ~(UINT64_C(1) << number), __ATOMIC_RELAXED);
	REAL(sigaction)(number, &plain, NULL);
}

static void on_fatal(int number, siginfo_t *info, void *context)
{
	int saved = errno;

	if (rec_ctl && claim(&rec_ctl->failure)) {
		describe_abort(&rec_ctl->failure, info, context);
		__atomic_store_n(&described, 1, __ATOMIC_RELEASE);
	} else if (rec_ctl) {
		wait_for_other(&rec_ctl->failure);
	}
	if (rec_self.row)
		rec_stamp(&rec_self, RECORD_AT_END, (uint64_t)number);
	restore_default(number);
	/* abort() raises again by itself; a fault happens again; what was sent is sent again. */
	if (info->si_code <= 0 && number != SIGABRT)
		sys_call(SYS_tgkill, sys_getpid(), sys_gettid(), number, 0, 0, 0);
	else if (number == SIGABRT)
		sys_call(SYS_tgkill, sys_getpid(), sys_gettid(), number, 0, 0, 0);
	errno = saved;
}

void rec_fail_stack(struct rec_thread *t)
{
	stack_t old, own = {.ss_size = REC_STACK_BYTES};
	long at;

	if (sigaltstack(NULL, &old) || !(old.ss_flags & SS_DISABLE))
		return;
	at = sys_call(SYS_mmap, 0, REC_STACK_BYTES, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at < 0 && at > -4096)
		return;
	own.ss_sp = t->stack = (void *)at;
	sigaltstack(&own, NULL);
}

void rec_fail_init(void)
{
	struct sigaction action = {.sa_sigaction = on_fatal, .sa_flags = SA_SIGINFO | SA_ONSTACK};

	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++) {
		struct sigaction old;

		if (REAL(sigaction)(fatal[i], NULL, &old) || old.sa_handler != SIG_DFL)
			continue;
		REAL(sigaction)(fatal[i], &action, NULL);
		ours |= UINT64_C(1) << fatal[i];
	}
}

/* ---- handlers of the program ---- */

/* A stream of its own for one execution of a handler. */
struct aside {
	struct aside *outer;
	struct rec_thread kept;
	uint64_t *at;
	uint32_t id;
};

static __thread struct aside *innermost __attribute__((tls_model("initial-exec")));

static void step_aside(struct aside *a, int number, const void *handler)
{
	struct rec_thread *t = &rec_self;
	struct record_thread *row;
	uint64_t bits = rec_stream_bits(t);

	a->outer = innermost;
	innermost = a;
	a->kept = *t;
	a->at = heddle_record_at;
	row = rec_row(&a->id);
	memset(t->streams, 0, sizeof(t->streams));
	memset(t->ring, 0, sizeof(t->ring));
	t->row = row;
	t->id = a->id;
	t->children = 0;
	t->handlers++;
	if (!row) {
		rec_sink(t);
		return;
	}
	row->creator = a->kept.id;
	row->index = t->handled++;
	row->os_tid = (int32_t)number;
	row->entry = (uint64_t)(uintptr_t)handler;
	row->position = bits;
	__atomic_store_n(&row->state, RECORD_THREAD_HANDLER, __ATOMIC_RELEASE);
	rec_stream_begin(t);
}

static void step_back(struct aside *a)
{
	struct rec_thread *t = &rec_self;
	uint32_t ops = t->ops;

	innermost = a->outer;
	*t = a->kept;
	t->ops = ops;
	t->handled++;
	heddle_record_at = a->at;
	rec_stamp(t, RECORD_AT_HANDLER, a->id);
}

static void call_handler(int number, siginfo_t *info, void *context)
{
	struct sigaction w = wanted[number];

	if (w.sa_flags & SA_SIGINFO)
		w.sa_sigaction(number, info, context);
	else if (w.sa_handler != SIG_DFL && w.sa_handler != SIG_IGN)
		w.sa_handler(number);
}

/* A fault that the program handles is a failure only if the handler does not come back. */
static void in_front(int number, siginfo_t *info, void *context)
{
	int saved = errno;
	/* The kernel's timers have a positive code, too; walking a stack from anywhere is for
	 * failures. */
	bool fault = info->si_code > 0 && is_fatal(number) && (ours >> number & 1);
	bool claimed = fault && rec_ctl && claim(&rec_ctl->failure);
	struct aside a;

	if (!rec_ctl || !rec_self.row) {
		call_handler(number, info, context);
		return;
	}
	if (claimed)
		describe(&rec_ctl->failure, info, context);
	step_aside(&a, number, (const void *)wanted[number].sa_handler);
	rec_signal_handled(info, (const void *)wanted[number].sa_handler);
	errno = saved;
	call_handler(number, info, context);
	saved = errno;
	step_back(&a);
	if (claimed) {
		rec_ctl->failure.kind = RECORD_FAIL_NONE;
		__atomic_store_n(&rec_ctl->failure.claimed, 0, __ATOMIC_RELEASE);
	}
	errno = saved;
}

/* What the program would see: its own handler, never ours. */
static void show_old(int number, struct sigaction *old, bool had)
{
	if (old && had)
		*old = wanted[number];
}

RECORD_EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	bool had = number > 0 && number < _NSIG && (ours >> number & 1);
	struct sigaction before, set;
	int rc;

	if (!rec_ctl || number <= 0 || number >= 64)
		return REAL(sigaction)(number, action, old);
	before = wanted[number];
	if (!action) {
		rc = REAL(sigaction)(number, NULL, old);
		if (!rc)
			show_old(number, old, had);
		return rc;
	}
	set = *action;
	if (action->sa_handler == SIG_DFL && is_fatal(number)) {
		set = (struct sigaction){.sa_sigaction = on_fatal,
					 .sa_flags = SA_SIGINFO | SA_ONSTACK};
	} else if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN) {
		set.sa_sigaction = in_front;
		set.sa_flags |= SA_SIGINFO;
	}
	wanted[number] = *action;
	rc = REAL(sigaction)(number, &set, old);
	if (rc) {
		wanted[number] = before;
		return rc;
	}
	if (old && had)
		*old = before;
	if (set.sa_sigaction == in_front || set.sa_sigaction == on_fatal)
		__atomic_fetch_or(&ours, UINT64_C(1) << number, __ATOMIC_RELAXED);
	else
		__atomic_fetch_and(&ours, ~(UINT64_C(1) << number), __ATOMIC_RELAXED);
	return 0;
}

RECORD_EXPORT __sighandler_t signal(int number, __sighandler_t handler)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;

	if (!rec_ctl || handler == SIG_ERR)
		return REAL(signal)(number, handler);
	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, number);
	return sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

/*
 * A jump out of a handler: the thread goes on with its own stream.  Where the handler came in is
 * known, what it skipped is not.
 */
static void leave_handlers(void)
{
	struct record_failure *f = rec_ctl ? &rec_ctl->failure : NULL;

	if (!innermost || !f)
		return;
	while (innermost)
		step_back(innermost);
	rec_loss(&rec_self, RECORD_LOSS_SIGNAL_JUMP);
	if (f->claimed == (uint32_t)sys_gettid() && f->kind == RECORD_FAIL_SIGNAL) {
		f->kind = RECORD_FAIL_NONE;
		__atomic_store_n(&f->claimed, 0, __ATOMIC_RELEASE);
	}
}

#define JUMP(name)                                                                                 \
	RECORD_EXPORT void name(struct __jmp_buf_tag where[1], int value)                          \
	{                                                                                          \
		leave_handlers();                                                                  \
		REAL(name)(where, value);                                                          \
	}
JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)

/* ---- assertions ---- */

static void say_why(const char *format, const char *file, unsigned line, const char *function,
		    const char *expression)
{
	said.format = format;
	said.file = file;
	said.line = line;
	said.function = function ? function : "?";
	said.expression = expression;
}

RECORD_EXPORT void __assert_fail(const char *expression, const char *file, unsigned line,
				 const char *function)
{
	say_why("%s:%u: %s: Assertion `%s' failed.", file, line, function, expression);
	REAL(__assert_fail)(expression, file, line, function);
}

RECORD_EXPORT _Noreturn void heddle_property_assert_failed(const char *expression, const char *file,
							   unsigned line, const char *function);
/* Prints what heddle_assert prints without a runtime. */
RECORD_EXPORT void heddle_property_assert_failed(const char *expression, const char *file,
						 unsigned line, const char *function)
{
	static const char form[] = "%s:%u: %s: heddle_assert(%s) failed.";
	char text[1024];
	size_t n = fmt_text(text, sizeof(text) - 1, form, file, line, function, expression);

	say_why(form, file, line, function, expression);
	text[n++] = '\n';
	sys_call(SYS_write, 2, (long)text, (long)n, 0, 0, 0);
	abort();
}
