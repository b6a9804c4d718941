/* Store buffering: TSO. */
#include <assert.h>
#include <pthread.h>
static volatile int x, y, a, b;
static void *t1(void *p)
{
	x = 1;
	a = y;
	return 0;
}
static void *t2(void *p)
{
	y = 1;
	b = x;
	return 0;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], 0, t1, 0);
	pthread_create(&t[1], 0, t2, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	assert(a == 1 || b == 1);
	return 0;
}
