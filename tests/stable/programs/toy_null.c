/* Vector 12.10 (a): one thread uses a pointer, another clears it; -DCLEAR_FIRST creates the latter
 * first. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static int value, *volatile p = &value;

static void *use(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&mu);
	*p = 1;
	pthread_mutex_unlock(&mu);
	return NULL;
}

static void *clear(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&mu);
	p = NULL;
	pthread_mutex_unlock(&mu);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
#ifdef CLEAR_FIRST
	pthread_create(&a, NULL, clear, NULL);
	pthread_create(&b, NULL, use, NULL);
#else
	pthread_create(&a, NULL, use, NULL);
	pthread_create(&b, NULL, clear, NULL);
#endif
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
