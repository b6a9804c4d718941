/* A counter has to be read at two values by two threads.  hunt: found 27 */
#include <assert.h>
#include <pthread.h>

static int n, one, two;

static void *thread0(void *arg)
{
	n = 1;
	n = 2;
	n = 3;
	return arg;
}

static void *thread1(void *arg)
{
	if (n == 1)
		one = 1;
	if (n == 2 && one)
		two = 1;
	return arg;
}

static void *thread2(void *arg)
{
	if (n == 3 && two)
		assert(!one);
	return arg;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, thread0, NULL);
	pthread_create(&t[1], NULL, thread1, NULL);
	pthread_create(&t[2], NULL, thread2, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
