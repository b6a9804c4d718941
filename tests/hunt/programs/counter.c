/* Branches on a shared counter under its lock.  hunt: safe */
#include <assert.h>
#include <pthread.h>

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *step(void *arg)
{
	pthread_mutex_lock(&m);
	if (x == 0)
		x = 1;
	else if (x == 1)
		x = 2;
	else
		x = 3;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, step, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(x == 3);
	return 0;
}
