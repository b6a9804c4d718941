/*
 * Independent reads of independent writes: all readers agree on the order of two stores.
 */
#include "../litmus.h"

VAR(x);
VAR(y);

THREAD(p0)
{
	W(x, 1);
	return 0;
}

THREAD(p1)
{
	W(y, 1);
	return 0;
}

THREAD(p2)
{
	long a, b;

	a = R(x);
	b = R(y);
	return 2 * a + b;
}

THREAD(p3)
{
	long c, d;

	c = R(y);
	d = R(x);
	return 2 * c + d;
}

int main(void)
{
	long r[4];

	RUN(r, p0, p1, p2, p3);
	END(4 * r[2] + r[3]);
}
