/*
 * A release store behind a plain one must not keep a later load waiting: the plain store may
 * still be in its buffer when the load is done.
 */
#include "../litmus.h"

VAR(x);
VAR(y);
VAR(z);

THREAD(p0)
{
	W(x, 1);
	W_REL(z, 1);
	return R(y);
}

THREAD(p1)
{
	W(y, 1);
	FENCE();
	return R(x);
}

int main(void)
{
	long r[2];

	RUN(r, p0, p1);
	END(2 * r[0] + r[1]);
}
