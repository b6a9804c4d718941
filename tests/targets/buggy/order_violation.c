/*
 * Bug: null pointer dereference.
 * Cause: the new thread uses the handle that its creator stores only after creating it.
 * expect: signal
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct handle {
	int value;
};

static struct handle *_Atomic handle;
static struct handle storage = {5};

static void *callback(void *arg)
{
	struct handle *h = atomic_load(&handle);

	h->value++;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, callback, NULL);
	atomic_store(&handle, &storage);
	pthread_join(t, NULL);
	return 0;
}
