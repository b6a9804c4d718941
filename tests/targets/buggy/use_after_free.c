/*
 * Bug: the logger reads a request that was already released.
 * Cause: nothing orders the last use before the free.
 * expect: use-after-free
 */
#include <pthread.h>
#include <stdlib.h>

struct request {
	int id;
	int state;
};

static volatile int total;

static void *logger(void *arg)
{
	struct request *r = arg;

	total = r->id + r->state;
	return NULL;
}

int main(void)
{
	pthread_t t;
	struct request *r = malloc(sizeof(*r));

	r->id = 1;
	r->state = 2;
	pthread_create(&t, NULL, logger, r);
	free(r);
	pthread_join(t, NULL);
	return 0;
}
