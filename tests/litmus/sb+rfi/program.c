/*
 * Store buffering where each thread first reads its own store back from its buffer.
 */
#include "../litmus.h"

VAR(x);
VAR(y);

THREAD(p0)
{
	long a, b;

	W(x, 1);
	a = R(x);
	b = R(y);
	return 2 * a + b;
}

THREAD(p1)
{
	long c, d;

	W(y, 1);
	c = R(y);
	d = R(x);
	return 2 * c + d;
}

int main(void)
{
	long r[2];

	RUN(r, p0, p1);
	END(4 * r[0] + r[1]);
}
