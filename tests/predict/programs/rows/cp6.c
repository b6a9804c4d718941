/*
 * A chain through two outer locks: whichever of the sections of m is first, the sections of l keep
 * their order.
 */
#include "../program.h"

static int x;
static struct object a = OBJECT_INIT, b = OBJECT_INIT, c = OBJECT_INIT, d = OBJECT_INIT;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg)
{
	x = 1;
	pthread_mutex_lock(&l);
	add(&a);
	add(&b);
	pthread_mutex_unlock(&l);
	return arg;
}

static void *left(void *arg)
{
	pthread_mutex_lock(&m);
	add(&c);
	add(&a);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *right(void *arg)
{
	pthread_mutex_lock(&m);
	add(&d);
	add(&b);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *last(void *arg)
{
	pthread_mutex_lock(&l);
	add(&c);
	add(&d);
	pthread_mutex_unlock(&l);
	x = 2;
	return arg;
}

int main(void)
{
	pthread_t t[4];

	x = 0;
	a.data = 0;
	b.data = 0;
	c.data = 0;
	d.data = 0;
	pthread_create(&t[0], NULL, first, NULL);
	pthread_create(&t[1], NULL, left, NULL);
	pthread_create(&t[2], NULL, right, NULL);
	pthread_create(&t[3], NULL, last, NULL);
	join_all(t, 4);
	return 0;
}
