/*
 * Store buffering with both stores made by atomic exchange.
 */
#include "../litmus.h"

VAR(x);
VAR(y);

THREAD(p0)
{
	XCHG(x, 1);
	return R(y);
}

THREAD(p1)
{
	XCHG(y, 1);
	return R(x);
}

int main(void)
{
	long r[2];

	RUN(r, p0, p1);
	END(2 * r[0] + r[1]);
}
