/*
 * Bug: one of two flags is lost.
 * Cause: the flags share a byte: setting one rewrites the other, though each has its own lock.
 * expect: assert
 */
#include <assert.h>
#include <pthread.h>

static struct {
	unsigned char open : 1;
	unsigned char dirty : 1;
} state;
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t dirty_lock = PTHREAD_MUTEX_INITIALIZER;

static void *opener(void *arg)
{
	pthread_mutex_lock(&open_lock);
	state.open = 1;
	pthread_mutex_unlock(&open_lock);
	return arg;
}

static void *dirtier(void *arg)
{
	pthread_mutex_lock(&dirty_lock);
	state.dirty = 1;
	pthread_mutex_unlock(&dirty_lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, opener, NULL);
	pthread_create(&b, NULL, dirtier, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(state.open && state.dirty);
	return 0;
}
