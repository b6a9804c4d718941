/*
 * expect: 0
 * cc: -O0
 *
 * Where a frame had what threads shared, a later one has the ids that pthread_create() stores.
 */
#include <assert.h>
#include <pthread.h>

struct box {
	pthread_mutex_t lock;
	int n;
};

static void *add(void *arg)
{
	struct box *b = arg;

	pthread_mutex_lock(&b->lock);
	b->n++;
	pthread_mutex_unlock(&b->lock);
	return NULL;
}

static void *idle(void *arg)
{
	return arg;
}

static int start(pthread_t *t, void *(*routine)(void *), void *arg)
{
	return pthread_create(t, NULL, routine, arg) == 0 && *t != 0;
}

static void share(void)
{
	struct box boxes[4];
	pthread_t t[2];

	for (int i = 0; i < 4; i++) {
		pthread_mutex_init(&boxes[i].lock, NULL);
		boxes[i].n = 0;
		for (int k = 0; k < 2; k++)
			assert(start(&t[k], add, &boxes[i]));
		for (int k = 0; k < 2; k++)
			pthread_join(t[k], NULL);
	}
}

static void own(void)
{
	pthread_t t[24];

	for (int i = 0; i < 24; i++) {
		assert(start(&t[i], idle, NULL));
		pthread_join(t[i], NULL);
	}
}

int main(void)
{
	share();
	own();
	return 0;
}
