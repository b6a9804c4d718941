/*
 * A block with its lock, taken by functions that get a pointer.
 *
 * analyze: none
 */
#include <pthread.h>
#include <stdlib.h>

struct account {
	pthread_mutex_t lock;
	int balance, log[4];
};

static void enter(struct account *a)
{
	pthread_mutex_lock(&a->lock);
}

static void leave(struct account *a)
{
	pthread_mutex_unlock(&a->lock);
}

static struct account *make(void)
{
	struct account *a = calloc(1, sizeof(*a));

	pthread_mutex_init(&a->lock, NULL);
	return a;
}

static void *work(void *arg)
{
	struct account *a = arg;

	enter(a);
	a->balance++;
	a->log[a->balance % 4] = 1;
	leave(a);
	return NULL;
}

int main(void)
{
	struct account *mine = make(), *yours = make();
	pthread_t t[4];

	pthread_create(&t[0], NULL, work, mine);
	pthread_create(&t[1], NULL, work, yours);
	pthread_create(&t[2], NULL, work, mine);
	pthread_create(&t[3], NULL, work, yours);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return mine->balance + yours->balance;
}
