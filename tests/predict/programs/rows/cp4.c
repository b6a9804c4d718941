/*
 * Empty sections order nothing: both writes of x race.
 */
#include "../program.h"

static int x;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

static void *early(void *arg)
{
	x = 1;
	pass(&l, 1);
	return arg;
}

static void *late(void *arg)
{
	pass(&l, 1);
	x = 2;
	return arg;
}

int main(void)
{
	pthread_t t[2];

	x = 0;
	pthread_create(&t[0], NULL, early, NULL);
	pthread_create(&t[1], NULL, late, NULL);
	join_all(t, 2);
	return 0;
}
