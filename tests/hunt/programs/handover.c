/* A flag under a lock says when the value is there.  hunt: safe */
#include <assert.h>
#include <pthread.h>

static int ready, value;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *give(void *arg)
{
	pthread_mutex_lock(&m);
	value = 7;
	ready = 1;
	pthread_mutex_unlock(&m);
	return arg;
}

static void *take(void *arg)
{
	int seen, got = 0;

	pthread_mutex_lock(&m);
	seen = ready;
	if (seen)
		got = value;
	pthread_mutex_unlock(&m);
	if (seen)
		assert(got == 7);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, give, NULL);
	pthread_create(&b, NULL, take, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
