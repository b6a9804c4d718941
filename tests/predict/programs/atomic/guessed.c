/*
 * elsewhere without its marks: the two sections are guessed to belong together.
 *
 * expect RWR
 */
#include "../program.h"

static struct object price = OBJECT_INIT;

static void *poll(void *arg)
{
	int sum;

	pthread_mutex_lock(&price.lock);
	sum = price.data;
	pthread_mutex_unlock(&price.lock);
	pthread_mutex_lock(&price.lock);
	sum += price.data;
	pthread_mutex_unlock(&price.lock);
	return sum < 0 ? arg : NULL;
}

static void *change(void *arg)
{
	set(&price, 7);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, poll, NULL);
	pthread_create(&t[1], NULL, change, NULL);
	join_all(t, 2);
	return 0;
}
