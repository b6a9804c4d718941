/*
 * One thread moves the position without the lock, the other one reads it so.
 */
#include "../program.h"

static int position, item, count;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

static void *seek(void *arg)
{
	int sum;

	position = 1;
	pass(&l, 6);
	pthread_mutex_lock(&l);
	sum = item;
	sum += count;
	pthread_mutex_unlock(&l);
	return sum < 0 ? arg : NULL;
}

static void *show(void *arg)
{
	int sum;

	pthread_mutex_lock(&l);
	sum = item;
	sum += count;
	pthread_mutex_unlock(&l);
	pass(&l, 6);
	return sum + position < 0 ? arg : NULL;
}

int main(void)
{
	pthread_t t[2];

	position = 0;
	item = 0;
	count = 0;
	pthread_create(&t[0], NULL, seek, NULL);
	pthread_create(&t[1], NULL, show, NULL);
	join_all(t, 2);
	return item < 0;
}
