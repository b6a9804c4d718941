/*
 * Peterson's algorithm with sequentially consistent atomics.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2], turn;
static int counter;

static void *visitor(void *arg)
{
	int me = (int)(long)arg, other = 1 - me;

	atomic_store(&flag[me], 1);
	atomic_store(&turn, other);
	while (atomic_load(&flag[other]) && atomic_load(&turn) == other)
		;
	counter++;
	atomic_store(&flag[me], 0);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, visitor, (void *)0L);
	pthread_create(&b, NULL, visitor, (void *)1L);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(counter == 2);
	return 0;
}
