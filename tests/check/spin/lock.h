/* USERS threads count under a lock: included behind what enter(me) and leave(me) do. */
SHARED(count);

/* What it found. */
THREAD(user)
{
	int r;

	enter(me);
	r = READ(count);
	WRITE(count, r + 1);
	leave(me);
	return r;
}

static void one_by_one(const int *r)
{
	for (int i = 0; i < USERS; i++)
		for (int k = 0; k < i; k++)
			heddle_assert(r[i] != r[k]);
}

PROGRAM(one_by_one, TIMES(USERS, user))
