/*
 * Readers look again when a writer has been there.  With BUG they do not look at the number again.
 */
#include "../programs/program.h"

SHARED(number);
SHARED(a);
SHARED(b);

static int enter(void)
{
	int seen;
	ROUND(wait);

	while ((seen = READ(number)) & 1)
		AGAIN(wait);
	return seen;
}

THREAD(writer)
{
	ROUND(attempt);

	for (;;) {
		int seen = enter();

		if (CAS(number, seen, seen + 1)) {
			WRITE(a, me + 1);
			WRITE(b, me + 1);
			WRITE(number, seen + 2);
			return 0;
		}
		AGAIN(attempt);
	}
}

/* 1 when it saw half of a writer's work. */
THREAD(reader)
{
	ROUND(attempt);

	for (;;) {
		int seen = enter(), r = READ(a), s = READ(b);

#ifdef BUG
		return (void)seen, r != s;
#else
		if (READ(number) == seen)
			return r != s;
		AGAIN(attempt);
#endif
	}
}

static void whole(const int *r)
{
	for (int i = 0; i < WRITERS + READERS; i++)
		heddle_assert(!r[i]);
}

PROGRAM(whole, TIMES(WRITERS, writer), TIMES(READERS, reader))
