/*
 * A lock by exchange, one by compare and swap and one by attempts: who comes when is all that
 * counts.
 *
 * expect: 0
 * match: all 216 behaviours
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 3

static atomic_int swapped, compared;
static pthread_mutex_t tried = PTHREAD_MUTEX_INITIALIZER;
static int count, second, third;

static void *worker(void *arg)
{
	int none = 0;

	while (atomic_exchange(&swapped, 1))
		;
	count++;
	atomic_store(&swapped, 0);
	while (!atomic_compare_exchange_strong(&compared, &none, 1))
		none = 0;
	second++;
	atomic_store(&compared, 0);
	while (pthread_mutex_trylock(&tried))
		;
	third++;
	pthread_mutex_unlock(&tried);
	return arg;
}

int main(void)
{
	pthread_t t[N];

	for (int i = 0; i < N; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	assert(count == N && second == N && third == N);
	return 0;
}
