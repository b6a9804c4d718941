/*
 * Bug: an object is freed while somebody still holds a reference, or once more afterwards.
 * Cause: the reference count is lowered and tested in two steps.
 * expect: use-after-free double-free
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
	atomic_int refs;
	int payload;
};

static void put(struct object *o)
{
	atomic_fetch_sub(&o->refs, 1);
	if (atomic_load(&o->refs) == 0)
		free(o);
}

static void *user(void *arg)
{
	struct object *o = arg;

	put(o);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	struct object *o = calloc(1, sizeof(*o));

	atomic_store(&o->refs, 2);
	pthread_create(&a, NULL, user, o);
	pthread_create(&b, NULL, user, o);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
