/*
 * What heddle_assert and heddle_assume of heddle/heddle.h come to when they do not hold.  Outside
 * control the first is an assertion of the C library, the second nothing.
 */
#include <assert.h>

#include "guest/check/engine/finish.h"
#include "guest/os/real.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/core.h"

_Noreturn void heddle_property_assert_failed(const char *expression, const char *file,
					     unsigned line, const char *function);
void heddle_property_assume_failed(const char *expression, const char *file, unsigned line,
				   const char *function);

RT_EXPORT void heddle_property_assert_failed(const char *expression, const char *file,
					     unsigned line, const char *function)
{
	if (!rt_controlled()) {
		REAL(__assert_fail)(expression, file, line, function);
		__builtin_unreachable();
	}
	rt_fail(FAILURE_ASSERT, sched_take_site(), 0, 0, "\"%s\" (%s:%u %s)", expression, file, line,
		function ? function : "?");
}

RT_EXPORT void heddle_property_assume_failed(const char *expression, const char *file,
					     unsigned line, const char *function)
{
	struct rt_op op = { .kind = EVENT_YIELD };

	if (!rt_controlled())
		return;
	/* Until the execution ends here, the others may do anything they can. */
	op.site = sched_take_site();
	sched_step(&op);
	rec_event(EVENT_YIELD, op.site, 0, 0, 0);
	finish_outcome(OUTCOME_ASSUME, "\"%s\" (%s:%u %s)", expression, file, line,
		       function ? function : "?");
}
