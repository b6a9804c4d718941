/* Markers of instrumented code: where it is, not what it does.  No scheduling points. */
#include "rt/mem/buffer.h"
#include "rt/mem/undo.h"
#include "rt/rec/rec.h"
#include "rt/sched/spin.h"
#include "rt/sched/thread.h"

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

RT_EXPORT void heddle_hook_enter(heddle_site_ref site)
{
	if (rt_controlled())
		rec_marker(EVENT_ENTER, rec_site(site), 0, 0);
}

RT_EXPORT void heddle_hook_spin(heddle_site_ref site)
{
	if (rt_controlled())
		spin_iteration(rt_current, rec_site(site));
}

RT_EXPORT void heddle_hook_at(heddle_site_ref site)
{
	if (rt_controlled())
		rt_current->at_site = rec_site(site);
}

/* Code that reads memory by itself must find the thread's stores there. */
static void drain_before_opaque(uint32_t site)
{
	struct rt_op op = { .kind = EVENT_CALL, .site = site };

	if (rt_current->buffer->count)
		sched_step(&op);
}

RT_EXPORT void heddle_hook_call(const void *target, heddle_site_ref where)
{
	uint32_t site;

	if (!rt_controlled() || rec_is_instrumented(target) ||
	    (uintptr_t)target - (uintptr_t)__ehdr_start < (uintptr_t)(_end - __ehdr_start))
		return;
	site = rec_site(where);
	drain_before_opaque(site);
	undo_opaque();
	rt_current->spin_on = 0;
	rt_current->at_site = SITE_NONE;
	rec_marker(EVENT_CALL, site, (uint64_t)target, 0);
}
