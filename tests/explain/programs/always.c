/* Fails whatever the schedule. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int n;

static void *work(void *arg)
{
	__atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(n == 3);
	return 0;
}
