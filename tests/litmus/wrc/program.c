/*
 * Write to read causality.
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
	long a = R(x);

	W(y, 1);
	return a;
}

THREAD(p2)
{
	long b, c;

	b = R(y);
	c = R(x);
	return 2 * b + c;
}

int main(void)
{
	long r[3];

	RUN(r, p0, p1, p2);
	END(4 * r[1] + r[2]);
}
