/*
 * expect: 0
 *
 * Under a lock the copy is whole, whoever comes first.
 */
#include <assert.h>
#include <pthread.h>

struct big {
	long a[5];
};

static struct big shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static __attribute__((noinline)) long sum(struct big b, int n, ...)
{
	return b.a[0] + b.a[n];
}

static void *thread(void *arg)
{
	pthread_mutex_lock(&lock);
	shared.a[0] = 1;
	shared.a[4] = -1;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	pthread_mutex_lock(&lock);
	assert(sum(shared, 4, 5, 6) == 0);
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
