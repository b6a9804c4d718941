#include "guest/check/engine/signal.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "guest/check/engine/engine.h"
#include "guest/check/engine/filter.h"
#include "guest/check/engine/finish.h"
#include "guest/check/mem/layout.h"
#include "guest/os/real.h"
#include "guest/os/sys.h"

static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL };

static const char *signal_text(int number)
{
	switch (number) {
	case SIGSEGV:
		return "segmentation fault";
	case SIGBUS:
		return "bus error";
	case SIGFPE:
		return "arithmetic exception";
	default:
		return "illegal instruction";
	}
}

/* The default action again, so that returning from the handler faults for good. */
static void let_it_fault(int number)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = SIG_DFL;
	real_sigaction(number, &action, NULL);
}

static void on_fatal(int number, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	bool has_addr = number == SIGSEGV || number == SIGBUS;

	if (!rt_current || !rt_ours || info->si_code <= 0 /* sent, not raised by the processor */) {
		let_it_fault(number);
		return;
	}
	finish_signal(number, has_addr ? (uint64_t)info->si_addr : 0, signal_text(number),
		      (uint64_t)uc->uc_mcontext.gregs[REG_RIP],
		      (uint64_t)uc->uc_mcontext.gregs[REG_RBP]);
	engine_leave();
}

static void on_filtered_call(int number, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	filter_trapped(info->si_syscall, uc->uc_mcontext.gregs);
}

void signal_stack(uint64_t addr)
{
	stack_t stack = { .ss_sp = (void *)addr, .ss_size = LAYOUT_SIGNAL_STACK_BYTES };

	sys_call(SYS_sigaltstack, (long)&stack, 0, 0, 0, 0, 0);
}

void signal_install(void)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	/* NODEFER: the handler is left by a jump, no mask must stay behind. */
	action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
	action.sa_sigaction = on_fatal;
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		real_sigaction(fatal[i], &action, NULL);
	action.sa_sigaction = on_filtered_call;
	real_sigaction(SIGSYS, &action, NULL);
}
