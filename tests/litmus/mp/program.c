/*
 * Message passing: may the flag be seen without the data?
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
	long a, b;

	a = R(y);
	b = R(x);
	return 2 * a + b;
}

int main(void)
{
	long r[2];

	RUN(r, p0, p1);
	END(r[1]);
}
