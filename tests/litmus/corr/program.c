/*
 * Coherence: two reads of one location never go back in time.
 */
#include "../litmus.h"

VAR(x);

THREAD(p0)
{
	W(x, 1);
	return 0;
}

THREAD(p1)
{
	long a, b;

	a = R(x);
	b = R(x);
	return 2 * a + b;
}

int main(void)
{
	long r[2];

	RUN(r, p0, p1);
	END(r[1]);
}
