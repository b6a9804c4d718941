/*
 * USERS threads under a test-and-set lock.
 */
#include "../programs/program.h"

SHARED(held);

static void enter(int me)
{
	ROUND(wait);

	while (XCHG(held, 1))
		AGAIN(wait);
}

static void leave(int me)
{
	WRITE(held, 0);
}

#include "lock.h"
