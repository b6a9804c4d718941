/* The queue is taken away while the workers still use it: a join is missing. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct queue {
	pthread_mutex_t lock;
	int taken;
};

static struct queue queue = {PTHREAD_MUTEX_INITIALIZER, 0}, *fifo = &queue;
static int rounds = 1;

static void *consumer(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		struct queue *q = fifo;
		assert(q != NULL);
		pthread_mutex_lock(&q->lock);
		q->taken++;
		pthread_mutex_unlock(&q->lock);
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	rounds = argc > 1 ? atoi(argv[1]) : 1;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, consumer, NULL);
	fifo = NULL;
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
