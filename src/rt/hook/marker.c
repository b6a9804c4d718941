/* Markers of instrumented code: where it is, not what it does.  No scheduling points. */
#include <string.h>

#include "rt/mem/buffer.h"
#include "rt/mem/undo.h"
#include "rt/rec/rec.h"
#include "rt/sched/core.h"
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

RT_EXPORT void heddle_hook_spin(heddle_site_ref site)
{
	if (rt_controlled())
		spin_iteration(rt_current, rec_site(site));
}

/* Marks, and getting and giving back memory, read none of the program's: stores may stay behind. */
static bool reads_nothing(heddle_site_ref site)
{
	static const char *const names[] = { "malloc", "calloc", "free",     "_Znw",	       "_Zna",
					     "_Zdl",   "_Zda",	 "operator", "heddle_marker_" };
	const char *name = (const char *)site + site->name;

	for (size_t i = 0; site->name && i < sizeof(names) / sizeof(names[0]); i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

RT_EXPORT void heddle_hook_at(heddle_site_ref where)
{
	uint32_t site;

	if (!rt_controlled())
		return;
	site = rec_site(where);
	/* Code that reads memory by itself must find the thread's stores there. */
	if (!reads_nothing(where)) {
		sched_drain(site);
		rec_drain(site);
	}
	rt_current->at_site = site;
}

RT_EXPORT void heddle_hook_call(const void *target, heddle_site_ref where)
{
	uint32_t site;

	if (!rt_controlled() || rec_is_instrumented(target) ||
	    (uintptr_t)target - (uintptr_t)__ehdr_start < (uintptr_t)(_end - __ehdr_start))
		return;
	site = rec_site(where);
	sched_drain(site);
	rec_drain(site);
	undo_opaque();
	rt_current->spin_on = 0;
	rt_current->at_site = SITE_NONE;
	rec_marker(EVENT_CALL, site, (uint64_t)target, 0);
}
