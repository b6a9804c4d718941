/* The guard is undone by a thread that saw it.  hunt: found 21 */
#include <assert.h>
#include <pthread.h>

static int guard, level, bad;

static void *thread0(void *arg)
{
	guard = 1;
	if (level > 0)
		bad = 1;
	guard = 0;
	return arg;
}

static void *thread1(void *arg)
{
	if (guard)
		level++;
	if (bad)
		assert(level == 0);
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
