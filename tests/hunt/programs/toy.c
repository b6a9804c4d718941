/* Needs another order and two other branches; ten thousand runs do not show it.  hunt: found 14 */
#include <assert.h>
#include <pthread.h>

static int x, y, w, z;

static void *first(void *arg)
{
	if (z > 0)
		w++;
	x = 1, y = 1;
	if (y == 0)
		x--;
	assert(x > 0);
	return arg;
}

static void *second(void *arg)
{
	z = 1;
	if (w > 0)
		y = 0;
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
