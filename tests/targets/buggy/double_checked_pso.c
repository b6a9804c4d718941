/*
 * Bug: a thread uses the singleton before its field is filled in.
 * Cause: double-checked locking with relaxed accesses: the pointer may reach memory before the
 * field does.
 * expect: assert
 * model: pso
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct config {
	atomic_int size;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct config storage;
static struct config *_Atomic instance;

static struct config *config_get(void)
{
	struct config *c = atomic_load_explicit(&instance, memory_order_relaxed);

	if (c != NULL)
		return c;
	pthread_mutex_lock(&lock);
	c = atomic_load_explicit(&instance, memory_order_relaxed);
	if (c == NULL) {
		c = &storage;
		atomic_store_explicit(&c->size, 7, memory_order_relaxed);
		atomic_store_explicit(&instance, c, memory_order_relaxed);
	}
	pthread_mutex_unlock(&lock);
	return c;
}

static void *user(void *arg)
{
	assert(atomic_load_explicit(&config_get()->size, memory_order_relaxed) == 7);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, user, NULL);
	pthread_create(&b, NULL, user, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
