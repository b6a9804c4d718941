/*
 * Ending a thread from within: pthread_exit and cancellation.
 *
 * The real pthread_exit unwinds the stack, running C cleanup handlers and C++ destructors, up to
 * the outermost frame that registered itself with the C library.  hook_call_start() is such a
 * frame: it does by hand what pthread_cleanup_push does in C code without exceptions, and so the
 * unwinding ends there with the engine still in charge of the stack.
 */
#include "guest/check/hook/cancel.h"

#include <errno.h>
#include <setjmp.h>

#include "guest/check/hook/call.h"
#include "guest/check/sched/spin.h"
#include "guest/check/sched/upcall.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/check/rec/hidden.h"
#include "guest/check/rec/rec.h"

extern void __pthread_register_cancel(__pthread_unwind_buf_t *buffer);
extern void __pthread_unregister_cancel(__pthread_unwind_buf_t *buffer);

/* What cancel_pending says. */
enum { ASKED_BY_ITSELF = 1, ASKED_BY_OTHERS = 2 };

/* The C library's buffer is the front of a jump buffer; setjmp's prototype wants a whole one. */
union unwind_buffer {
	__pthread_unwind_buf_t buffer;
	sigjmp_buf jump;
};

static void *call_plain(struct rt_thread *t)
{
	/* C11 start routines return int: only the low half of the register is theirs. */
	if (t->cleanup == HOOK_START_C11) {
		int (*start)(void *) = (int (*)(void *))(void (*)(void))t->start;

		return (void *)(intptr_t)start(t->arg);
	}
	return t->start(t->arg);
}

void *hook_call_start(struct rt_thread *t)
{
	union unwind_buffer unwind;
	void *result;

	if (__sigsetjmp(unwind.jump, 0)) {
		__pthread_unregister_cancel(&unwind.buffer);
		/* Not from `t': a jump may have lost it. */
		return rt_self()->result;
	}
	__pthread_register_cancel(&unwind.buffer);
	result = call_plain(t);
	__pthread_unregister_cancel(&unwind.buffer);
	t->result = result;
	return result;
}

void cancel_exit(void *result)
{
	struct rt_thread *t = rt_self();

	t->exiting = 1;
	t->cancel_disabled = 1;
	t->result = result;
	REAL(pthread_exit)(result);
	__builtin_unreachable();
}

/* Where a thread waits it goes on for a request, and no search knows that. */
void cancel_act(void)
{
	if (rt_self()->cancel_pending & ASKED_BY_OTHERS)
		rt_unseen(rt_self()->last_site,
			  "cancellation of a thread that sleeps, waits, reads or writes");
	cancel_exit(PTHREAD_CANCELED);
}

void cancel_point(void)
{
	if (unlikely(cancel_due(rt_self())))
		cancel_act();
}

RT_EXPORT void pthread_exit(void *result)
{
	if (!rt_controlled()) {
		REAL(pthread_exit)(result);
		__builtin_unreachable();
	}
	cancel_exit(result);
}

/*
 * Where a thread is asked to end: what it finds there decides what it does.  Ordinary memory to a
 * search, because a loop may wait for a change of it.
 */
#define REQUEST_AUX (ORDER_SEQ_CST | EVENT_GLUED)

static uint64_t request_cell(const struct rt_thread *t)
{
	return hidden_cell(HIDDEN_CANCEL, t->key);
}

RT_EXPORT int pthread_cancel(pthread_t handle)
{
	if (!rt_controlled())
		return REAL(pthread_cancel)(handle);
	struct rt_thread *t = thread_by_handle(handle);
	struct rt_op op = call_op(EVENT_THREAD_CANCEL, t, NULL);

	sched_step(&op);
	t = thread_by_handle(handle);
	if (!t) {
		rt_unseen(op.site, "pthread_cancel() of a thread that is no more");
		return ESRCH;
	}
	rec_event(EVENT_THREAD_CANCEL, op.site, 0, 0, t->tid);
	rec_access(EVENT_WRITE, 8, op.site, request_cell(t), 1, REQUEST_AUX);
	/* A thread that has ended but is not joined yet accepts the request and ignores it. */
	if (t->state == THREAD_FINISHED)
		return 0;
	t->cancel_pending |= t == rt_self() ? ASKED_BY_ITSELF : ASKED_BY_OTHERS;
	if (t == rt_self()) {
		if (t->cancel_async)
			cancel_point();
		return 0;
	}
	/* Who waits at a cancellation point goes on, and so does a loop that looks for the request. */
	sched_wake(t->op && (t->op->flags & OP_CANCEL) ? t->op->addr : (uint64_t)t);
	return 0;
}

static bool would_end(const struct rt_thread *t, uint64_t addr)
{
	return t->cancel_pending;
}

/* A loop around it may wait for the request. */
static void look_for_request(uint32_t site)
{
	struct rt_thread *t = rt_self();

	if (t->cancel_disabled || t->exiting)
		return;
	rec_access(EVENT_READ, 8, site, request_cell(t), t->cancel_pending != 0, REQUEST_AUX);
	spin_tried(t, (uint64_t)t, t->cancel_pending != 0, would_end);
	if (t->cancel_pending)
		cancel_exit(PTHREAD_CANCELED);
}

RT_EXPORT void pthread_testcancel(void)
{
	if (!rt_controlled()) {
		REAL(pthread_testcancel)();
		return;
	}
	struct rt_op op = call_op(EVENT_YIELD, NULL, NULL);

	op.flags = OP_YIELD | OP_CANCEL;
	sched_step(&op);
	rec_event(EVENT_YIELD, op.site, 0, 0, 0);
	look_for_request(op.site);
}

RT_EXPORT int pthread_setcancelstate(int state, int *old)
{
	if (!rt_controlled())
		return REAL(pthread_setcancelstate)(state, old);
	struct rt_thread *t = rt_self();

	if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
		return EINVAL;
	if (old)
		*old = t->cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
	t->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
	if (t->cancel_async)
		cancel_point();
	return 0;
}

RT_EXPORT int pthread_setcanceltype(int type, int *old)
{
	if (!rt_controlled())
		return REAL(pthread_setcanceltype)(type, old);
	struct rt_thread *t = rt_self();

	if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
		return EINVAL;
	if (old)
		*old = t->cancel_async ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
	t->cancel_async = type == PTHREAD_CANCEL_ASYNCHRONOUS;
	if (t->cancel_async) {
		rt_unseen(sched_take_site(), "cancellation at any place of a thread");
		cancel_point();
	}
	return 0;
}
