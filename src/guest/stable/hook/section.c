#include "guest/stable/hook/section.h"

#include <errno.h>

#include "guest/stable/real.h"

/* As the C library lays it out. */
struct barrier {
	unsigned in, round, count;
	int shared;
	unsigned out;
};

int section_cond_wait(pthread_cond_t *c, pthread_mutex_t *m, bool timed, uintptr_t pc)
{
	nested_ask(NESTED_COND_RELEASE, c, m, pc);
	int result = real.pthread_mutex_unlock(m);
	if (result)
		return result;
	nested_wait_at(c);
	nested_ask(timed ? NESTED_COND_TIMEOUT : NESTED_COND_WAKE, c, m, pc);
	bool woken = nested_was_woken();
	result = real.pthread_mutex_lock(m);
	return result ? result : woken ? 0 : ETIMEDOUT;
}

void section_cond_wake(pthread_cond_t *c, bool all, uintptr_t pc)
{
	nested_ask(all ? NESTED_BROADCAST : NESTED_SIGNAL, c, NULL, pc);
	if (!all && nested_waiters(c) > 1)
		nested_note(NESTED_WHY_WAITERS, pc);
	while (nested_wake(c) && all)
		continue;
}

/* The last to arrive wakes the others, whatever the original would count. */
int section_barrier_wait(pthread_barrier_t *b, uintptr_t pc)
{
	unsigned count = ((struct barrier *)b)->count;
	nested_ask(NESTED_ARRIVE, b, NULL, pc);
	if (nested_waiters(b) + 1 >= count) {
		while (nested_wake(b))
			continue;
		return PTHREAD_BARRIER_SERIAL_THREAD;
	}
	nested_wait_at(b);
	nested_ask(NESTED_LEAVE, b, NULL, pc);
	nested_was_woken();
	return 0;
}
