/*
 * Two stores each to two locations: may both first stores be the last in memory?
 */
#include "../litmus.h"

VAR(x);
VAR(y);

THREAD(p0)
{
	W(x, 1);
	W(y, 2);
	return 0;
}

THREAD(p1)
{
	W(y, 1);
	W(x, 2);
	return 0;
}

int main(void)
{
	long r[2];

	RUN(r, p0, p1);
	END((r[0] + r[1]) + 3 * R(x) + R(y));
}
