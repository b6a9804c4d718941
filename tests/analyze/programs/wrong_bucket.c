/*
 * The lock of another bucket is held.
 *
 * analyze: race count 1
 */
#include <pthread.h>
#include <stdlib.h>

static struct bucket {
	pthread_mutex_t lock;
	int count;
} *buckets;

static void *work(void *arg)
{
	for (int i = 0; i < 4; i++) {
		pthread_mutex_lock(&buckets[(i + 1) % 4].lock);
		buckets[i].count++;
		pthread_mutex_unlock(&buckets[(i + 1) % 4].lock);
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
