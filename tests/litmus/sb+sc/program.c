/*
 * Store buffering with sequentially consistent stores.
 */
#include "../litmus.h"

VAR(x);
VAR(y);

THREAD(p0)
{
	W_SC(x, 1);
	return R(y);
}

THREAD(p1)
{
	W_SC(y, 1);
	return R(x);
}

int main(void)
{
	long r[2];

	RUN(r, p0, p1);
	END(2 * r[0] + r[1]);
}
