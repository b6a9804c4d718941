/*
 * Each bucket has its lock beside what it guards.
 *
 * analyze: none
 */
#include <pthread.h>
#include <stdlib.h>

static struct bucket {
	pthread_mutex_t lock;
	int count, sums[3];
} *buckets;

static void *work(void *arg)
{
	for (int i = 0; i < 8; i++) {
		struct bucket *b = &buckets[(i * 3) % 4];

		pthread_mutex_lock(&b->lock);
		b->count++;
		pthread_mutex_unlock(&b->lock);
	}
	return arg;
}

int main(void)
{
	pthread_t t[2];

	buckets = calloc(4, sizeof(*buckets));
	for (int i = 0; i < 4; i++)
		pthread_mutex_init(&buckets[i].lock, NULL);

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
