/*
 * A store after a load that saw the second of two stores.
 */
#include "../litmus.h"

VAR(x);
VAR(y);

THREAD(p0)
{
	W(x, 2);
	W(y, 1);
	return 0;
}

THREAD(p1)
{
	long a = R(y);

	W(x, 1);
	return a;
}

int main(void)
{
	long r[2];

	RUN(r, p0, p1);
	END(3 * R(x) + r[0] + r[1]);
}
