/*
 * Message passing with plain volatile variables.
 */
#include "../litmus.h"

static volatile int x, y;

THREAD(p0)
{
	x = 1;
	y = 1;
	return 0;
}

THREAD(p1)
{
	long a, b;

	a = y;
	b = x;
	return 2 * a + b;
}

int main(void)
{
	long r[2];

	RUN(r, p0, p1);
	END(r[1]);
}
