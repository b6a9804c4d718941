/* Vector 12.1: a producer reads blocks, consumers compress them; with -DHINT a soft barrier. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "heddle/stable.h"

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
static int queue[1000], head, tail, done;
static volatile unsigned sink;

/* Spins for a random while: the schedule must not care. */
static void burn(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	for (unsigned n = (unsigned)now.tv_nsec % 20000; n > 0; n--)
		sink += n;
}

static void *consume(void *unused)
{
	(void)unused;
	for (;;) {
		pthread_mutex_lock(&mu);
		while (head == tail && !done)
			pthread_cond_wait(&cv, &mu);
		if (head == tail) {
			pthread_mutex_unlock(&mu);
			return NULL;
		}
		head++;
		pthread_mutex_unlock(&mu);
#ifdef HINT
		soba_wait();
#endif
		burn();
	}
}

int main(int argc, char **argv)
{
	int consumers = argc > 1 ? atoi(argv[1]) : 2, blocks = argc > 2 ? atoi(argv[2]) : 2;
	pthread_t t[64];
#ifdef HINT
	soba_init(consumers);
#endif
	for (int i = 0; i < consumers; i++)
		pthread_create(&t[i], NULL, consume, NULL);
	for (int i = 0; i < blocks; i++) {
		burn();
		pthread_mutex_lock(&mu);
		queue[tail++] = i;
		pthread_cond_signal(&cv);
		pthread_mutex_unlock(&mu);
	}
	pthread_mutex_lock(&mu);
	done = 1;
	pthread_cond_broadcast(&cv);
	pthread_mutex_unlock(&mu);
	for (int i = 0; i < consumers; i++)
		pthread_join(t[i], NULL);
	return head != blocks;
}
