/* The length is taken in one section and used in another.  hunt: found 17 */
#include <assert.h>
#include <pthread.h>

static int count = 4;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *append(void *arg)
{
	int n;

	pthread_mutex_lock(&m);
	n = count;
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	/* Copies n characters. */
	assert(n <= count);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *erase(void *arg)
{
	pthread_mutex_lock(&m);
	count = 0;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, append, NULL);
	pthread_create(&b, NULL, erase, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
