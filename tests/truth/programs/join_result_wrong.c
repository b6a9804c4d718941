/*
 * The result of a join is in a variable that another thread looks at.
 *
 * expect: 1
 * match: assertion failed
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x, joined;
static void *result;

static void *count(void *arg)
{
	return (void *)(intptr_t)(1 + atomic_fetch_add(&x, 1));
}

static void *look(void *arg)
{
	if (atomic_load(&joined))
		assert(result != (void *)2);
	return arg;
}

int main(void)
{
	pthread_t t, u, v;

	pthread_create(&v, NULL, look, NULL);
	pthread_create(&t, NULL, count, NULL);
	pthread_create(&u, NULL, count, NULL);
	pthread_join(t, &result);
	atomic_store(&joined, 1);
	pthread_join(u, NULL);
	pthread_join(v, NULL);
	return 0;
}
