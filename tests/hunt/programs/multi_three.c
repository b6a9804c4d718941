/* Three threads hand a token round, which has to come back changed.  hunt: found 11 */
#include <assert.h>
#include <pthread.h>

static int t1, t2, t3;

static void *thread0(void *arg)
{
	t1 = 1;
	if (t3 == 1)
		assert(t2 == 0);
	return arg;
}

static void *thread1(void *arg)
{
	if (t1 == 1)
		t2 = 1;
	return arg;
}

static void *thread2(void *arg)
{
	if (t2 == 1)
		t3 = 1;
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
