/* Two locks in two orders, the second only after a flag was seen.  hunt: found deadlock */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x, flag;

static void *first(void *arg)
{
	flag = 1;
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	x++;
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return arg;
}

static void *second(void *arg)
{
	if (!flag)
		return arg;
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	x++;
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return arg;
}

int main(void)
{
	pthread_t s, t;

	pthread_create(&s, NULL, first, NULL);
	pthread_create(&t, NULL, second, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	return 0;
}
