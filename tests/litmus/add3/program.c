/*
 * Three threads take numbers by fetch-and-add.
 */
#include "../litmus.h"

VAR(x);

THREAD(p0)
{
	return ADD(x, 1);
}

THREAD(p1)
{
	return ADD(x, 1);
}

THREAD(p2)
{
	return ADD(x, 1);
}

int main(void)
{
	long r[3];

	RUN(r, p0, p1, p2);
	END(9 * r[0] + 3 * r[1] + r[2]);
}
