/*
 * Store buffering with plain volatile variables.
 */
#include "../litmus.h"

static volatile int x, y;

THREAD(p0)
{
	x = 1;
	return y;
}

THREAD(p1)
{
	y = 1;
	return x;
}

int main(void)
{
	long r[2];

	RUN(r, p0, p1);
	END(2 * r[0] + r[1]);
}
