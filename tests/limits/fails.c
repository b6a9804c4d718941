/* A lost update, found at once. */
#include <assert.h>
#include <pthread.h>

static int count;

static void *add(void *arg)
{
	count++;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, add, NULL);
	count++;
	pthread_join(t, NULL);
	assert(count == 2);
	return 0;
}
