/*
 * The owner of a deque puts two tasks in and takes from the bottom; THIEVES steal from the top
 * (Chase and Lev).  With BUG the last task is taken without asking the thieves.
 * case: -DTHIEVES=1
 * states: SC=9 TSO=9 PSO=9
 * violations: SC=0 TSO=0 PSO=0
 * case: -DTHIEVES=2
 * states: SC=53 TSO=53 PSO=53
 * violations: SC=0 TSO=0 PSO=0
 * case: -DTHIEVES=1 -DBUG
 * states: SC=7 TSO=7 PSO=7
 * violations: SC=4 TSO=4 PSO=4
 */
#include "../programs/program.h"

SHARED(top);
SHARED(bottom);
SHARED(task[2]);

static int take(void)
{
	int b = READ(bottom) - 1, t, task_taken;

	WRITE(bottom, b);
	FENCE();
	t = READ(top);
	if (b < t) {
		WRITE(bottom, t);
		return 0;
	}
	task_taken = READ(task[b]);
	if (b > t)
		return task_taken;
#ifndef BUG
	if (!CAS(top, t, t + 1))
		task_taken = 0;
#endif
	WRITE(bottom, t + 1);
	return task_taken;
}

THREAD(owner)
{
	int first;

	WRITE(task[0], 1);
	WRITE(task[1], 2);
	FENCE();
	WRITE(bottom, 2);
	first = take();
	return first * 4 + take();
}

/* Until it has a task or there is none. */
THREAD(thief)
{
	int t, b, found;
	ROUND(attempt);

	for (;;) {
		t = READ(top);
		FENCE();
		b = READ(bottom);
		if (t >= b)
			return 0;
		found = READ(task[t]);
		if (CAS(top, t, t + 1))
			return found;
		AGAIN(attempt);
	}
}

static void once(const int *r)
{
	int count[4] = {0};

	count[r[0] / 4]++;
	count[r[0] % 4]++;
	for (int i = 1; i <= THIEVES; i++)
		count[r[i] & 3]++;
	heddle_assert(count[1] <= 1 && count[2] <= 1);
}

PROGRAM(once, owner, TIMES(THIEVES, thief))
