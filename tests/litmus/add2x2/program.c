/*
 * Two threads take two numbers each.
 */
#include "../litmus.h"

VAR(x);

THREAD(p0)
{
	long a, b;

	a = ADD(x, 1);
	b = ADD(x, 1);
	return 4 * a + b;
}

THREAD(p1)
{
	long c, d;

	c = ADD(x, 1);
	d = ADD(x, 1);
	return 4 * c + d;
}

int main(void)
{
	long r[2];

	RUN(r, p0, p1);
	END(16 * r[0] + r[1]);
}
