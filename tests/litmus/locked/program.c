/*
 * Two critical sections that read and overwrite one location.
 */
#include "../litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
VAR(x);

THREAD(p0)
{
	long a;

	pthread_mutex_lock(&m);
	a = R(x);
	W(x, 7);
	pthread_mutex_unlock(&m);
	return a;
}

THREAD(p1)
{
	long b;

	pthread_mutex_lock(&m);
	b = R(x);
	W(x, 8);
	pthread_mutex_unlock(&m);
	return b;
}

int main(void)
{
	long r[2];

	RUN(r, p0, p1);
	END(9 * r[0] + r[1]);
}
