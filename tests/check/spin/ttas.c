/*
 * USERS threads under a lock that is looked at before it is tested and set.
 */
#include "../programs/program.h"

SHARED(held);

static void enter(int me)
{
	ROUND(attempt);

	for (;;) {
		ROUND(look);

		while (READ(held))
			AGAIN(look);
		if (!XCHG(held, 1))
			return;
		AGAIN(attempt);
	}
}

static void leave(int me)
{
	WRITE(held, 0);
}

#include "lock.h"
