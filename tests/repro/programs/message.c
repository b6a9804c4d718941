/* Message passing without order: PSO. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic int data, flag;
static void *put(void *a)
{
	for (int i = 1; i < 10; i++) {
		atomic_store_explicit(&data, i, memory_order_relaxed);
		atomic_store_explicit(&flag, i, memory_order_relaxed);
	}
	return 0;
}
static void *get(void *a)
{
	for (int i = 0; i < 10; i++) {
		int f = atomic_load(&flag);
		int d = atomic_load(&data);
		assert(d >= f);
	}
	return 0;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], 0, put, 0);
	pthread_create(&t[1], 0, get, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	return 0;
}
