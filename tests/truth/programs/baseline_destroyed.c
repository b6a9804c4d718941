/*
 * A mutex is destroyed beside somebody who uses it.  Only `learn' looks for that.
 *
 * expect: 4
 * match: does not look for uses of objects after their end
 * options: --algorithm=complete
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *uses(void *arg)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *destroys(void *arg)
{
	pthread_mutex_destroy(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, uses, NULL);
	pthread_create(&b, NULL, destroys, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
