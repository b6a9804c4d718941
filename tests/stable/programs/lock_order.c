/* Vector 12.9: two threads take two locks in opposite orders; with -DSHIFT T1 takes a third first.
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,
		       c = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused)
{
	(void)unused;
#ifdef SHIFT
	pthread_mutex_lock(&c);
	pthread_mutex_unlock(&c);
#else
	(void)c;
#endif
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return NULL;
}

int main(void)
{
	pthread_t x, y;
	pthread_create(&x, NULL, first, NULL);
	pthread_create(&y, NULL, second, NULL);
	pthread_join(x, NULL);
	pthread_join(y, NULL);
	return 0;
}
