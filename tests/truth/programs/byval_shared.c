/*
 * expect: 1
 * drawn
 *
 * The copy a call makes of a shared structure is a reading of it.
 */
#include <assert.h>
#include <pthread.h>

struct big {
	long a[5];
};

static struct big shared;

static __attribute__((noinline)) long sum(struct big b)
{
	return b.a[0] + b.a[4];
}

static void *thread(void *arg)
{
	shared.a[0] = 1;
	shared.a[4] = -1;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	assert(sum(shared) == 0);
	pthread_join(t, NULL);
	return 0;
}
