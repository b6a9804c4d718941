/*
 * Store buffering: may both threads miss the other's store?
 */
#include "../litmus.h"

VAR(x);
VAR(y);

THREAD(p0)
{
	W(x, 1);
	return R(y);
}

THREAD(p1)
{
	W(y, 1);
	return R(x);
}

int main(void)
{
	long r[2];

	RUN(r, p0, p1);
	END(2 * r[0] + r[1]);
}
