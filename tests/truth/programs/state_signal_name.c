/*
 * The library keeps the name of a signal it does not know in a block of the heap.  The next run
 * begins without it.
 *
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *counter(void *arg)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&lock);
		count++;
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	assert(strstr(strsignal(97), "97"));
	pthread_create(&a, NULL, counter, NULL);
	pthread_create(&b, NULL, counter, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(strstr(strsignal(98), "98") && count == 6);
	return 0;
}
