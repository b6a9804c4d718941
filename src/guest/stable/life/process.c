#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "guest/stable/replay/replay.h"
#include "guest/stable/world/channel.h"
#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/init.h"
#include "guest/stable/world/state.h"
#include "guest/stable/msg.h"
#include "guest/stable/real.h"
#include "guest/stable/sched/nested.h"
#include "guest/stable/hook/thread.h"

/*
 * fork: an event of the schedule.  The turn is held across it, so that handlers registered with
 * pthread_atfork may synchronise as usual.  The child starts with this thread alone, keeps its
 * logical id and time, and writes neither the parent's log nor its control block; its schedule has
 * a hash of its own.
 */
void process_begin_child(void)
{
	struct sched_thread *t = sched_self;
	if (msg_is_mine())
		return;
	msg_fork_child();
	nested_leave();
	schedlog_fork_child();
	replay_fork_child();
	if (!t)
		return;
	state_fork_child();
	channel_fork_child();
	sched_fork_child(t);
	thread_fork_child(t);
}

HOOK_EXPORT pid_t fork(void)
{
	/* Both have the ends of all channels from now on. */
	channel_give_up_all(false);
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_FORK);
	if (!t)
		return real.fork();
	hook_log(t, STABLE_OP_FORK, NULL, 0, 0);
	t->hold++;
	hook_leave(t);
	pid_t pid = real.fork();
	t->bypass = 1;
	t->hold--;
	hook_end(t);
	return pid;
}

/*
 * The original returns twice into the frame of its caller, so it is entered by a jump.  Its child may
 * have the ends of channels, as that of fork.
 */
__attribute__((used, visibility("hidden"))) void *process_before_vfork(void)
{
	channel_give_up_all(false);
	return real_find("vfork");
}

__asm__(".text\n"
	".globl vfork\n"
	".type vfork, @function\n"
	"vfork:\n"
	"	.cfi_startproc\n"
	"	sub $8, %rsp\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	call process_before_vfork\n"
	"	add $8, %rsp\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	jmp *%rax\n"
	"	.cfi_endproc\n"
	".size vfork, . - vfork\n");

HOOK_EXPORT _Noreturn void exit(int status)
{
	init_process_exit();
	real_ready();
	real.exit(status);
	__builtin_unreachable();
}

HOOK_EXPORT _Noreturn void quick_exit(int status)
{
	init_process_exit();
	real_ready();
	init_finish(true);
	real.quick_exit(status);
	__builtin_unreachable();
}

HOOK_EXPORT _Noreturn void _exit(int status)
{
	real_ready();
	if (nested_on && sched_self && msg_is_mine())
		nested_ask(NESTED_EXIT, NULL, NULL, HOOK_CALLER);
	init_finish(true);
	real._exit(status);
	__builtin_unreachable();
}

HOOK_EXPORT _Noreturn void _Exit(int status)
{
	_exit(status);
}

static int (*program_main)(int, char **, char **);

static int main_around(int argc, char **argv, char **envp)
{
	init_runtime();
	int status = program_main(argc, argv, envp);
	init_process_exit();
	return status;
}

HOOK_EXPORT int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
				  void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
				  void *stack_end);
HOOK_EXPORT int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
				  void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
				  void *stack_end)
{
	real_ready();
	program_main = main;
	return real.__libc_start_main(main_around, argc, argv, init, fini, rtld_fini, stack_end);
}

/* Handlers may wake waiters; faults of the program itself are no reason to wait for them. */
static bool may_wake(int number)
{
	return number != SIGSEGV && number != SIGBUS && number != SIGILL && number != SIGFPE &&
	       number != SIGABRT && number != SIGTRAP && number != SIGSYS;
}

static void note_handler(int number, bool restarts)
{
	if (!may_wake(number))
		return;
	__atomic_store_n(&sched.handlers, true, __ATOMIC_RELAXED);
	if (!restarts)
		__atomic_store_n(&sched.handlers_break, true, __ATOMIC_RELAXED);
	sched_see_outside();
}

HOOK_EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	real_ready();
	int result = real.sigaction(number, action, old);
	if (result == 0 && action &&
	    ((action->sa_flags & SA_SIGINFO) ||
	     (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN)))
		note_handler(number, action->sa_flags & SA_RESTART);
	return result;
}

HOOK_EXPORT sighandler_t signal(int number, sighandler_t handler)
{
	real_ready();
	sighandler_t old = real.signal(number, handler);
	if (old != SIG_ERR && handler != SIG_DFL && handler != SIG_IGN)
		note_handler(number, true);
	return old;
}
