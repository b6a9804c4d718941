/* Fails in every run, in one of several ways: exit statuses, an assertion, deadlocks. */
#include <assert.h>
#include <pthread.h>

static int x, y;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg)
{
	x++;
	x++;
	return arg;
}

static void *forth(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	y = 1;
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return arg;
}

static void *back(void *arg)
{
	pthread_mutex_lock(&b);
	assert(x < 4 || y == 0);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return arg;
}

int main(void)
{
	void *(*const starts[])(void *) = { add, add, forth, back };
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, starts[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return x;
}
