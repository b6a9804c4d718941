/* Vector 12.5: a barrier of three threads, used twice. */
#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_barrier_init(&barrier, NULL, 3);
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	work(NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
