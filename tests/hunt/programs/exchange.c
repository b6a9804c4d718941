/* Exchanges of which both cannot be lost.  hunt: safe */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int l, won;

static void *thread0(void *arg)
{
	int none = 0;

	if (!atomic_compare_exchange_strong(&l, &none, 1))
		won++;
	l = 0;
	return arg;
}

static void *thread1(void *arg)
{
	int none = 0;

	if (!atomic_compare_exchange_strong(&l, &none, 2))
		won++;
	l = 0;
	assert(won < 2);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, thread0, NULL);
	pthread_create(&t[1], NULL, thread1, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
