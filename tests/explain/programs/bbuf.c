/* A ring buffer: whether it is empty and taking from it are two critical sections. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define SIZE 64
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ring[SIZE], head, rear, rounds = 1;

static void *produce(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		pthread_mutex_lock(&lock);
		ring[rear % SIZE] = i;
		rear++;
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

static void *consume(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		pthread_mutex_lock(&lock);
		int some = head != rear;
		pthread_mutex_unlock(&lock);
		if (!some)
			continue;
		pthread_mutex_lock(&lock);
		assert(head != rear);
		head++;
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[3];

	rounds = argc > 1 ? atoi(argv[1]) : 1;
	pthread_create(&t[0], NULL, produce, NULL);
	pthread_create(&t[1], NULL, consume, NULL);
	pthread_create(&t[2], NULL, consume, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
