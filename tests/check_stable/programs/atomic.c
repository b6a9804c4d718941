/* Who counts on is decided by atomic operations, which are in no schedule. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next;

static void *count(void *arg)
{
	while (atomic_fetch_add(&next, 1) < 10)
		continue;
	return arg;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, count, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
