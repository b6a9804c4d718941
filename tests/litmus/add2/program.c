/*
 * Two threads take numbers by fetch-and-add.
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

int main(void)
{
	long r[2];

	RUN(r, p0, p1);
	END(2 * r[0] + r[1]);
}
