/* Of the executions, those in which the second thread comes first are assumed away. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int first;

static void *one(void *arg)
{
	int none = 0;

	atomic_compare_exchange_strong(&first, &none, 1);
	heddle_assume(first == 1);
	return arg;
}

static void *two(void *arg)
{
	int none = 0;

	atomic_compare_exchange_strong(&first, &none, 2);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, two, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	heddle_assert(first == 1);
	return 0;
}
