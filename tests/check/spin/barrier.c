/*
 * USERS threads at a barrier with a sense, PHASES times.  With BUG the last one lets the others go
 * before the count is what it was.
 * case: -DUSERS=2 -DPHASES=2
 * states: SC=12 TSO=12
 * violations: SC=0 TSO=0
 * case: -DUSERS=3 -DPHASES=2
 * states: SC=252 TSO=252
 * violations: SC=0 TSO=0
 */
#include "../programs/program.h"

SHARED(arrived);
SHARED(sense);
SHARED(x[USERS]);

static void meet(int mine)
{
	if (ADD(arrived, 1) == USERS - 1) {
#ifdef BUG
		WRITE(sense, mine);
		WRITE(arrived, 0);
#else
		WRITE(arrived, 0);
		WRITE(sense, mine);
#endif
		return;
	}
	{
		ROUND(wait);
		while (READ(sense) != mine)
			AGAIN(wait);
	}
}

/* 1 when a neighbour had not come as far. */
THREAD(user)
{
	int bad = 0;

	for (int phase = 1; phase <= PHASES; phase++) {
		WRITE(x[me], phase);
		meet(phase & 1);
		bad |= READ(x[(me + 1) % USERS]) < phase;
	}
	return bad;
}

static void together(const int *r)
{
	for (int i = 0; i < USERS; i++)
		heddle_assert(!r[i]);
}

PROGRAM(together, TIMES(USERS, user))
