/*
 * What a thread returns depends on what it read, and main goes on accordingly.
 *
 * expect: 0
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x;

static void *thread(void *arg)
{
	return (void *)(intptr_t)(1 + atomic_fetch_add(&x, 1));
}

int main(void)
{
	pthread_t t, u;
	void *a, *b;

	pthread_create(&t, NULL, thread, NULL);
	pthread_create(&u, NULL, thread, NULL);
	pthread_join(t, &a);
	pthread_join(u, &b);
	if ((intptr_t)a == 2)
		atomic_store(&x, 9);
	assert((intptr_t)a + (intptr_t)b == 3);
	return 0;
}
