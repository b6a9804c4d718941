/* Markers of instrumented code: where it is, not what it does.  No scheduling points. */

#include "guest/check/hook/memory/outside.h"
#include "guest/check/mem/buffer.h"
#include "guest/check/mem/heap.h"
#include "guest/check/mem/undo.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/core.h"
#include "guest/check/sched/spin.h"
#include "guest/check/sched/thread.h"
#include "wire/quiet.h"

extern char __ehdr_start[] __attribute__((visibility("hidden")));
extern char _end[] __attribute__((visibility("hidden")));

RT_EXPORT void heddle_hook_module(const struct heddle_site *sites_begin,
				  const struct heddle_site *sites_end,
				  const struct heddle_function *funcs_begin,
				  const struct heddle_function *funcs_end)
{
	if (heddle_active)
		rec_module_add(sites_begin, sites_end, funcs_begin, funcs_end);
}

RT_EXPORT void heddle_hook_branch(uint32_t direction, heddle_site_ref site)
{
	if (rt_controlled())
		rec_marker(EVENT_BRANCH, rec_site(site), 0, direction);
}

/*
 * A freed block is not given out again while others can serve: an address kept from before is never
 * that of a younger block here, and may be elsewhere.
 */
RT_EXPORT void heddle_hook_compare(const void *a, const void *b)
{
	uint64_t one = (uint64_t)a, other = (uint64_t)b;

	if (a == b || !heap_owns(a) || !heap_owns(b) || !rt_controlled() || rt_thread_count < 2)
		return;
	if (heap_might_lie_at(one, other) || heap_might_lie_at(other, one))
		rt_unseen(SITE_NONE, "the address of a freed block is compared, and whether a "
				     "younger one lies there was not varied");
}

RT_EXPORT void heddle_hook_enter(heddle_site_ref site)
{
	if (rt_controlled())
		rec_marker(EVENT_ENTER, rec_site(site), 0, 0);
}

/* What heddle_atomic_begin and heddle_atomic_end of heddle/heddle.h call. */
void heddle_marker_atomic_begin(const char *name);
void heddle_marker_atomic_end(void);

RT_EXPORT void heddle_marker_atomic_begin(const char *name)
{
	if (rt_controlled())
		rec_event(EVENT_ATOMIC_BEGIN, sched_take_site(), (uint64_t)name, 0, 0);
}

RT_EXPORT void heddle_marker_atomic_end(void)
{
	if (rt_controlled())
		rec_event(EVENT_ATOMIC_END, sched_take_site(), 0, 0, 0);
}

RT_EXPORT void heddle_hook_spin(heddle_site_ref site, uint64_t carried)
{
	if (rt_controlled())
		spin_iteration(rt_current, rec_site(site), carried);
}

RT_EXPORT void heddle_hook_spin_enter(heddle_site_ref site, uint64_t carried, uint32_t collects)
{
	if (rt_controlled())
		spin_enter(rt_current, rec_site(site), carried, collects);
}

static const char *callee(heddle_site_ref site)
{
	return site->name ? (const char *)site + site->name : "";
}

/*
 * These read memory, without a lock and without the kernel: on a processor the stores may stay
 * under way.
 */
static bool is_light(heddle_site_ref site)
{
	static const char *const names[] = {"realloc",
					    "posix_memalign",
					    "aligned_alloc",
					    "memalign",
					    "valloc",
					    "pvalloc",
					    "qsort",
					    "strtok",
					    "__strtok",
					    "strsep",
					    "time",
					    "clock",
					    "gettimeofday",
					    "ftime",
					    "rand_r",
					    "drand48",
					    "lrand48",
					    "mrand48",
					    "srand48",
					    "pthread_setspecific",
					    "tss_set",
					    "setjmp",
					    "_setjmp",
					    "__sigsetjmp",
					    "longjmp",
					    "heddle_property_",
					    NULL};

	return wire_call_is_one_of(callee(site), names);
}

RT_EXPORT void heddle_hook_at(heddle_site_ref where)
{
	uint32_t site;

	if (!rt_controlled())
		return;
	site = rec_site(where);
	/* Code that reads memory by itself must find the thread's stores there. */
	if (wire_model_buffers(rt_ctl->job.model) && !wire_call_reads_nothing(callee(where))) {
		sched_drain(site);
		rec_drain(site, is_light(where));
	}
	rt_current->at_site = site;
	rt_current->at_sp = (uint64_t)__builtin_dwarf_cfa();
}

RT_EXPORT void heddle_hook_call(const void *target, heddle_site_ref where)
{
	uint32_t site;

	if (!rt_controlled() || rec_is_instrumented(target))
		return;
	site = rec_site(where);
	/* One of the guest's own: what an earlier call left would be taken for this one's place. */
	if ((uintptr_t)target - (uintptr_t)__ehdr_start < (uintptr_t)(_end - __ehdr_start)) {
		rt_current->at_site = site;
		rt_current->at_sp = (uint64_t)__builtin_dwarf_cfa();
		return;
	}
	outside_opaque(site, where, target);
	sched_drain(site);
	rec_drain(site, true);
	undo_opaque();
	rt_current->spin_on = 0;
	rt_current->at_site = SITE_NONE;
	rt_current->at_sp = 0;
	rec_marker(EVENT_CALL, site, (uint64_t)target, 0);
}
