/*
 * Double-checked locking with acquire and release.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
	int size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct config *_Atomic instance;

static struct config *config_get(void)
{
	struct config *c = atomic_load_explicit(&instance, memory_order_acquire);

	if (c != NULL)
		return c;
	pthread_mutex_lock(&lock);
	c = atomic_load_explicit(&instance, memory_order_relaxed);
	if (c == NULL) {
		c = malloc(sizeof(*c));
		c->size = 7;
		atomic_store_explicit(&instance, c, memory_order_release);
	}
	pthread_mutex_unlock(&lock);
	return c;
}

static void *user(void *arg)
{
	assert(config_get()->size == 7);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, user, NULL);
	pthread_create(&b, NULL, user, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(atomic_load(&instance));
	return 0;
}
