/* A bounded buffer with conditions, one item of each kind.  hunt: safe */
#include <assert.h>
#include <pthread.h>

static int slot, full;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *put(void *arg)
{
	for (int i = 1; i <= 2; i++) {
		pthread_mutex_lock(&m);
		while (full)
			pthread_cond_wait(&c, &m);
		slot = i;
		full = 1;
		pthread_cond_signal(&c);
		pthread_mutex_unlock(&m);
	}
	return arg;
}

static void *get(void *arg)
{
	for (int i = 1; i <= 2; i++) {
		pthread_mutex_lock(&m);
		while (!full)
			pthread_cond_wait(&c, &m);
		assert(slot == i);
		full = 0;
		pthread_cond_signal(&c);
		pthread_mutex_unlock(&m);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, put, NULL);
	pthread_create(&b, NULL, get, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
