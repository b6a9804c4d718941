/* A pointer is tested and used while another thread takes it away.  N rounds, 5 workers. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int storage, *target = &storage, hits, misses;
static int rounds = 1;

static void *work(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		if (target) {
			pthread_mutex_lock(&lock);
			hits++;
			pthread_mutex_unlock(&lock);
			int *p = target;
			assert(p);
			(*p)++;
		} else {
			pthread_mutex_lock(&lock);
			misses++;
			pthread_mutex_unlock(&lock);
		}
	}
	return arg;
}

static void *crash(void *arg)
{
	target = NULL;
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[5];

	rounds = argc > 1 ? atoi(argv[1]) : 1;
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, work, NULL);
	pthread_create(&t[4], NULL, crash, NULL);
	for (int i = 0; i < 5; i++)
		pthread_join(t[i], NULL);
	return 0;
}
