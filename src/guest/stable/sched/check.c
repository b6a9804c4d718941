#include "guest/stable/sched/check.h"

#include "guest/stable/msg.h"

void sched_broken(const char *function, const char *text)
{
	static uint32_t said;

	msg_loose(STABLE_LOOSE_BROKEN, (uintptr_t)__builtin_return_address(0));
	if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
		msg_say("an invariant of the runtime is broken in %s: %s", function, text);
}
