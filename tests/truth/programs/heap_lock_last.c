/*
 * The last one to let go of an object gives it back with its mutex.
 *
 * expect: 0
 */
#include <pthread.h>
#include <stdlib.h>

struct object {
	pthread_mutex_t lock;
	int users;
};

static void *lets_go(void *arg)
{
	struct object *o = arg;
	int left;

	pthread_mutex_lock(&o->lock);
	left = --o->users;
	pthread_mutex_unlock(&o->lock);
	if (left == 0) {
		pthread_mutex_destroy(&o->lock);
		free(o);
	}
	return NULL;
}

int main(void)
{
	struct object *o = malloc(sizeof(*o));
	pthread_t a, b;

	pthread_mutex_init(&o->lock, NULL);
	o->users = 2;
	pthread_create(&a, NULL, lets_go, o);
	pthread_create(&b, NULL, lets_go, o);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
