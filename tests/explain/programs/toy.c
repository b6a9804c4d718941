/* Fails on one combination of branches only, and always on that: no schedule with them passes. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y, w, z;

static void *one(void *arg)
{
	if (z > 0)
		w++;
	x = 1;
	y = 1;
	if (y == 0)
		x--;
	assert(x > 0);
	return arg;
}

static void *two(void *arg)
{
	z = 1;
	if (w > 0)
		y = 0;
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, two, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
