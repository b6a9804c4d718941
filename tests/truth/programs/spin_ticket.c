/*
 * A ticket lock: the order of the tickets is all that counts, not what those who wait have seen
 * meanwhile.
 *
 * expect: 0
 * match: all 24 behaviours
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 4

static atomic_int next, serving;
static int count;

static void *worker(void *arg)
{
	int ticket = atomic_fetch_add(&next, 1);

	while (atomic_load(&serving) != ticket)
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
