/*
 * Results of C11 threads.
 *
 * expect: 1
 * match: assertion failed
 * drawn
 */
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int x;

static int thread(void *arg)
{
	return atomic_fetch_add(&x, 1);
}

int main(void)
{
	thrd_t t, u;
	int a, b;

	thrd_create(&t, thread, NULL);
	thrd_create(&u, thread, NULL);
	thrd_join(t, &a);
	thrd_join(u, &b);
	assert(a < b);
	return 0;
}
