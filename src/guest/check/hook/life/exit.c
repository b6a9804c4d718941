/*
 * The end of the process.  Handlers registered since heddle is around lie in one list of ours and
 * run under control, newest first, also those that constructors registered before main: the
 * destructors of global objects race with threads that still run.
 *
 * Handlers from before control that are not instrumented code (the C++ library flushing its
 * streams) say nothing about the program: they run outside control, and not at all on the reset
 * engine, where they would cost a full copy of the memory.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "guest/check/engine/engine.h"
#include "guest/check/hook/life/fini.h"
#include "guest/check/hook/memory/outside.h"
#include "guest/check/sched/upcall.h"
#include "guest/check/hook/life/tsd.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/check/rec/hidden.h"
#include "guest/check/rec/rec.h"

enum handler_kind { HANDLER_UNUSED, HANDLER_CXA, HANDLER_ON_EXIT, HANDLER_QUICK };

struct handler {
	uint8_t kind;
	uint8_t early; /* registered before control began */
	union {
		void (*cxa)(void *);
		void (*on_exit)(int, void *);
	} function;
	void *arg;
	void *dso;
};

#define MAX_HANDLERS 4096

static struct handler handlers[MAX_HANDLERS];
static RT_RUN uint32_t handler_count;

static bool keeps_handlers(void)
{
	return heddle_active && rt_ctl && rt_inside == 0;
}

/*
 * Who comes first, a registration or the end of the process, and in which order handlers were
 * registered, shows in what runs at the end.
 */
static void tell_added(void)
{
	uint32_t site;

	if (!rt_controlled())
		return;
	site = sched_take_site();
	outside_stand(site);
	hidden_do(hidden_named("exit-handlers"), rt_self()->key, false, site);
}

/* Nobody can have added any when all others were joined and none is there. */
static void look_at_handlers(void)
{
	uint32_t late = 0, site;

	for (uint32_t i = 0; i < handler_count; i++)
		late += handlers[i].kind != HANDLER_UNUSED && !handlers[i].early;
	if (!rt_controlled() || (late == 0 && sched_alone()))
		return;
	site = rt_self()->last_site;
	outside_stand(site);
	hidden_look(hidden_named("exit-handlers"), site);
}

static int add_handler(const struct handler *h)
{
	tell_added();
	if (handler_count == MAX_HANDLERS) {
		rt_note("more than %d exit handlers: some do not run", MAX_HANDLERS);
		return -1;
	}
	undo_touch(&handlers[handler_count], sizeof(*h));
	handlers[handler_count] = *h;
	handlers[handler_count++].early = rt_current == NULL;
	return 0;
}

static void call_handler(const struct handler *h, int status)
{
	if (h->kind == HANDLER_ON_EXIT)
		h->function.on_exit(status, h->arg);
	else
		h->function.cxa(h->arg);
}

static void run_handler(const struct handler *h, int status)
{
	bool opaque = !rec_is_instrumented((const void *)h->function.cxa);

	if (opaque && h->early) {
		if (engine_is_reset())
			return;
		rt_inside++;
		call_handler(h, status);
		rt_inside--;
		return;
	}
	if (opaque)
		undo_opaque();
	call_handler(h, status);
}

/* A handler may register others and may call exit: each leaves the list before it runs. */
static void run_handlers(bool quick, const void *dso, int status)
{
	if (!dso)
		look_at_handlers();
	for (uint32_t i = handler_count; i > 0;) {
		struct handler h = handlers[--i];

		if (h.kind == HANDLER_UNUSED || (h.kind == HANDLER_QUICK) != quick ||
		    (dso && h.dso != dso))
			continue;
		undo_touch(&handlers[i], sizeof(h));
		handlers[i].kind = HANDLER_UNUSED;
		while (handler_count && handlers[handler_count - 1].kind == HANDLER_UNUSED)
			handler_count--;
		run_handler(&h, status);
		if (!dso)
			look_at_handlers();
		/* New ones come first. */
		i = handler_count;
	}
}

void hook_run_atexit(int status)
{
	tsd_run_local_destructors(rt_self());
	run_handlers(false, NULL, status);
	fini_run();
}

RT_EXPORT int __cxa_atexit(void (*function)(void *), void *arg, void *dso)
{
	if (!keeps_handlers())
		return REAL(__cxa_atexit)(function, arg, dso);
	return add_handler(&(struct handler){
		.kind = HANDLER_CXA, .function.cxa = function, .arg = arg, .dso = dso});
}

RT_EXPORT int __cxa_at_quick_exit(void (*function)(void *), void *dso)
{
	if (!keeps_handlers())
		return REAL(__cxa_at_quick_exit)(function, dso);
	return add_handler(
		&(struct handler){.kind = HANDLER_QUICK, .function.cxa = function, .dso = dso});
}

RT_EXPORT int on_exit(void (*function)(int, void *), void *arg)
{
	if (!keeps_handlers())
		return REAL(on_exit)(function, arg);
	return add_handler(&(struct handler){
		.kind = HANDLER_ON_EXIT, .function.on_exit = function, .arg = arg});
}

/* A library goes away (dlclose): what it registered must run while it is still there. */
RT_EXPORT void __cxa_finalize(void *dso)
{
	if (dso && rt_controlled())
		run_handlers(false, dso, 0);
	REAL(__cxa_finalize)(dso);
}

RT_EXPORT void exit(int status)
{
	if (!rt_controlled()) {
		/* Before control, or in a forked child that left it: the handlers are still ours.
		 */
		if (!rt_current)
			run_handlers(false, NULL, status);
		REAL(exit)(status);
		__builtin_unreachable();
	}
	hook_run_atexit(status);
	rt_exit(status);
}

RT_EXPORT void quick_exit(int status)
{
	if (!rt_controlled()) {
		REAL(quick_exit)(status);
		__builtin_unreachable();
	}
	run_handlers(true, NULL, status);
	rt_exit(status);
}

RT_EXPORT void _exit(int status)
{
	if (!rt_controlled()) {
		REAL(_exit)(status);
		__builtin_unreachable();
	}
	rt_exit(status);
}

RT_EXPORT void _Exit(int status)
{
	_exit(status);
}

RT_EXPORT void abort(void)
{
	if (!rt_controlled()) {
		REAL(abort)();
		__builtin_unreachable();
	}
	/* A library that gives up (std::terminate) has noted in its own memory that it does. */
	undo_opaque();
	rt_fail(FAILURE_ABORT, sched_take_site(), 0, 0, "abort");
}

RT_EXPORT void __assert_fail(const char *expression, const char *file, unsigned int line,
			     const char *function)
{
	if (!rt_controlled()) {
		REAL(__assert_fail)(expression, file, line, function);
		__builtin_unreachable();
	}
	rt_fail(FAILURE_ASSERT, sched_take_site(), 0, 0, "\"%s\" (%s:%u %s)", expression, file,
		line, function ? function : "?");
}

RT_EXPORT void __assert_perror_fail(int number, const char *file, unsigned int line,
				    const char *function)
{
	if (!rt_controlled()) {
		REAL(__assert_perror_fail)(number, file, line, function);
		__builtin_unreachable();
	}
	const char *name = strerrorname_np(number);

	rt_fail(FAILURE_ASSERT, sched_take_site(), 0, 0, "unexpected error %s (%s:%u %s)",
		name ? name : "?", file, line, function ? function : "?");
}

RT_EXPORT void __assert(const char *expression, const char *file, int line)
{
	__assert_fail(expression, file, (unsigned int)line, NULL);
}
