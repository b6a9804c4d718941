/*
 * More late stores than a thread's buffer holds here; processors have no such bound in the model.
 *
 * expect: 4
 * match: a full buffer
 * options: --model=tso --algorithm=learn
 */
#include <assert.h>
#include <pthread.h>

static volatile int first_flag, second_flag, filler, seen[2];

static void *first(void *arg)
{
	first_flag = 1;
	for (int i = 0; i < 40; i++)
		filler = i;
	seen[0] = second_flag;
	return arg;
}

static void *second(void *arg)
{
	second_flag = 1;
	for (int i = 0; i < 40; i++)
		filler = i;
	seen[1] = first_flag;
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(seen[0] || seen[1]);
	return 0;
}
