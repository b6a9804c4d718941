/*
 * Message passing with release and acquire.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *writer(void *arg)
{
	data = 1;
	atomic_store_explicit(&flag, 1, memory_order_release);
	return arg;
}

static void *reader(void *arg)
{
	if (atomic_load_explicit(&flag, memory_order_acquire))
		assert(data == 1);
	return arg;
}

int main(void)
{
	pthread_t w, r;

	pthread_create(&w, NULL, writer, NULL);
	pthread_create(&r, NULL, reader, NULL);
	pthread_join(w, NULL);
	pthread_join(r, NULL);
	return 0;
}
