/*
 * A store overtaken by a load, seen through the final value.
 */
#include "../litmus.h"

VAR(x);
VAR(y);

THREAD(p0)
{
	W(x, 1);
	W(y, 1);
	return 0;
}

THREAD(p1)
{
	W(y, 2);
	return R(x);
}

int main(void)
{
	long r[2];

	RUN(r, p0, p1);
	END(3 * R(y) + r[0] + r[1]);
}
