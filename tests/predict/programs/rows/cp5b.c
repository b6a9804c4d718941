/*
 * The chain of cp5 built on blind writes: they conflict, but no read depends on their order, so the
 * sections can be swapped and the last write of x races.
 */
#include "../program.h"

static int x;
static struct object o = OBJECT_INIT, p = OBJECT_INIT;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg)
{
	pthread_mutex_lock(&l);
	set(&o, 1);
	x = 1;
	pthread_mutex_unlock(&l);
	pass(&l, 1);
	return arg;
}

static void *between(void *arg)
{
	set(&o, 2);
	add(&p);
	return arg;
}

static void *last(void *arg)
{
	pthread_mutex_lock(&l);
	add(&p);
	pthread_mutex_unlock(&l);
	x = 3;
	return arg;
}

int main(void)
{
	pthread_t t[3];

	x = 0;
	o.data = 0;
	p.data = 0;
	pthread_create(&t[0], NULL, first, NULL);
	pthread_create(&t[1], NULL, between, NULL);
	pthread_create(&t[2], NULL, last, NULL);
	join_all(t, 3);
	return 0;
}
