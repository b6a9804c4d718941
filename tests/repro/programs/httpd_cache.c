/*
 * Memory cache of a web server, 10 threads: nine workers use one cached object and give it back.
 * Bug: the reference count goes down in one step and is looked at in another: two see zero.
 * Failure: double free or use after free.
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#define WORKERS 9

struct object {
	int references;
	int complete;
	char *body;
};

static struct object *cached;

static struct object *make(void)
{
	struct object *o = calloc(1, sizeof(*o));

	o->references = WORKERS;
	o->body = malloc(32);
	return o;
}

static void give_back(struct object *o)
{
	__atomic_fetch_sub(&o->references, 1, __ATOMIC_SEQ_CST);
	sched_yield();
	if (__atomic_load_n(&o->references, __ATOMIC_SEQ_CST) == 0) {
		free(o->body);
		free(o);
	}
}

static void *work(void *arg)
{
	(void)arg;
	give_back(cached);
	return NULL;
}

int main(void)
{
	pthread_t workers[WORKERS];

	cached = make();
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, work, NULL);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	return 0;
}
