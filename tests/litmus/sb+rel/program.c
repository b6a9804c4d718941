/*
 * Store buffering with release stores: release does not order a store before a later load.
 */
#include "../litmus.h"

VAR(x);
VAR(y);

THREAD(p0)
{
	W_REL(x, 1);
	return R(y);
}

THREAD(p1)
{
	W_REL(y, 1);
	return R(x);
}

int main(void)
{
	long r[2];

	RUN(r, p0, p1);
	END(2 * r[0] + r[1]);
}
