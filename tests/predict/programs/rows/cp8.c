/*
 * Nested against separate empty sections of the same two locks: the writes of x between them race.
 */
#include "../program.h"

static int x;
static struct object o = OBJECT_INIT;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *nested(void *arg)
{
	add(&o);
	x = 1;
	pthread_mutex_lock(&l);
	pass(&m, 1);
	pthread_mutex_unlock(&l);
	return arg;
}

static void *separate(void *arg)
{
	pass(&l, 1);
	pass(&m, 1);
	x = 2;
	add(&o);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	x = 0;
	o.data = 0;
	pthread_create(&t[0], NULL, nested, NULL);
	pthread_create(&t[1], NULL, separate, NULL);
	join_all(t, 2);
	return 0;
}
