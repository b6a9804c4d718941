/* Fails when the three threads come in reverse: three times what would come next is passed over. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int order;

static void *come(void *arg)
{
	order = order * 4 + (int)(long)arg;
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, come, (void *)(i + 1));
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(order != (3 * 4 + 2) * 4 + 1);
	return 0;
}
