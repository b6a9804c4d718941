#include "guest/check/engine/outsider.h"

#include <string.h>

#include "guest/check/engine/engine.h"
#include "guest/os/stat.h"

__thread int rt_ours;

/* Function that a foreign thread came to first.  Written by that thread, read by ours. */
static const char *foreign_function;
static int early_threads;
static bool threads_before_main;

/* Names of functions that touch the program's data or its synchronisation objects. */
static bool concerns_program(const char *function)
{
	static const char *const prefixes[] = {"heddle_hook_", "pthread_", "sem_", "mtx_",
					       "cnd_",	       "thrd_",	   "call_once", "__cxa_guard"};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (strncmp(function, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

static bool is_program_code(const char *function)
{
	return strncmp(function, "heddle_hook_", 12) == 0;
}

bool rt_beside(const char *function)
{
	const char *none = NULL;

	if (rt_ours && is_program_code(function))
		rt_unseen(SITE_NONE, "code of the program ran inside a call that is not watched");
	if (!rt_ours && concerns_program(function))
		__atomic_compare_exchange_n(&foreign_function, &none, function, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	return false;
}

void outsider_early(int change)
{
	if (rt_ctl && !rt_current)
		__atomic_fetch_add(&early_threads, change, __ATOMIC_RELAXED);
}

void outsider_begin(void)
{
	/* One that has ended by now might have done so later: nobody waited for it. */
	threads_before_main = stat_threads() > 1 || early_threads > 0;
}

void outsider_tell(void)
{
	const char *function = __atomic_load_n(&foreign_function, __ATOMIC_RELAXED);

	if (threads_before_main)
		rt_unseen(SITE_NONE, "threads started before main are not under control");
	if (function && is_program_code(function))
		rt_unseen(SITE_NONE, "a thread that heddle did not start ran code of the program");
	else if (function)
		rt_unseen(SITE_NONE, "a thread that heddle did not start called %s", function);
}

const char *outsider_alive(void)
{
	if (threads_before_main)
		return "a thread that was started before main";
	return stat_threads() > engine_kernel_threads() ? "a thread that heddle did not start" : NULL;
}
