/*
 * The section reads x first, so it comes after the writer's, and with it the read of y.
 */
#include "../program.h"

static int x, y;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg)
{
	int sum;

	pthread_mutex_lock(&l);
	sum = x;
	sum += y;
	pthread_mutex_unlock(&l);
	return sum < 0 ? arg : NULL;
}

int main(void)
{
	pthread_t t[1];

	pthread_create(&t[0], NULL, reader, NULL);
	y = 1;
	pthread_mutex_lock(&l);
	x = 1;
	pthread_mutex_unlock(&l);
	join_all(t, 1);
	return 0;
}
