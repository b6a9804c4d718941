/*
 * Coherence with two writers.
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
	W(x, 2);
	return 0;
}

THREAD(p2)
{
	long a, b;

	a = R(x);
	b = R(x);
	return 3 * a + b;
}

int main(void)
{
	long r[3];

	RUN(r, p0, p1, p2);
	END(r[2]);
}
