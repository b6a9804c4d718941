/*
 * A ticket is read and then written: two may have the same.  The one who waits for the second
 * hangs, or both are in at once; that is seen although most of the looking is not.
 *
 * expect: 1
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 3

static atomic_int next, serving;
static int count;

static void *worker(void *arg)
{
	int ticket = atomic_load(&next);

	atomic_store(&next, ticket + 1);
	while (atomic_load(&serving) < ticket)
		;
	count++;
	atomic_fetch_add(&serving, 1);
	return arg;
}

int main(void)
{
	pthread_t t[N];

	for (int i = 0; i < N; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	assert(count == N);
	return 0;
}
