/* A work queue whose items take long: round robin makes the workers wait for each other. */
#include <pthread.h>

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static int left = 40;
static volatile unsigned sink;

static void compute(void)
{
	for (unsigned i = 0; i < 1000000; i++)
		sink = sink * 31 + i;
}

static void *work(void *unused)
{
	(void)unused;
	for (;;) {
		pthread_mutex_lock(&mu);
		int mine = left > 0 ? left-- : 0;
		pthread_mutex_unlock(&mu);
		if (!mine)
			return NULL;
		compute();
	}
}

int main(void)
{
	pthread_t t[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
