/*
 * Load buffering: no model with store buffers lets both loads see the later stores.
 */
#include "../litmus.h"

VAR(x);
VAR(y);

THREAD(p0)
{
	long a = R(x);

	W(y, 1);
	return a;
}

THREAD(p1)
{
	long b = R(y);

	W(x, 1);
	return b;
}

int main(void)
{
	long r[2];

	RUN(r, p0, p1);
	END(2 * r[0] + r[1]);
}
