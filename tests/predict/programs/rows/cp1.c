/*
 * y is handed over by sections that conflict on x: the reader's section must come after the
 * writer's, so the accesses of y cannot meet.
 */
#include "../program.h"

static int x, y;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg)
{
	y = 1;
	pthread_mutex_lock(&l);
	x = 1;
	pthread_mutex_unlock(&l);
	return arg;
}

static void *reader(void *arg)
{
	int sum;

	pthread_mutex_lock(&l);
	sum = x;
	pthread_mutex_unlock(&l);
	sum += y;
	return sum < 0 ? arg : NULL;
}

int main(void)
{
	pthread_t t[2];

	x = 0;
	y = 0;
	pthread_create(&t[0], NULL, writer, NULL);
	pthread_create(&t[1], NULL, reader, NULL);
	join_all(t, 2);
	return 0;
}
