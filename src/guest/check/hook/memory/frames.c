/* Frames of instrumented code, for call stacks: only logged, with JOB_MARKERS. */
#include "guest/check/rec/rec.h"

RT_EXPORT void heddle_hook_leave(heddle_site_ref site)
{
	if (rt_controlled())
		rec_marker(EVENT_LEAVE, rec_site(site), 0, 0);
}

RT_EXPORT void heddle_hook_into(heddle_site_ref site)
{
	if (rt_controlled())
		rec_marker(EVENT_INTO, rec_site(site), 0, 0);
}
