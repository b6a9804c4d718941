/* Two threads write x through different functions, one of them recursive; for call stacks. */
#include <pthread.h>

static int x;

static int deep(int *p, int n)
{
	if (n > 0)
		return deep(p, n - 1);
	*p += 1;
	return *p;
}

static void before(int *p)
{
	(void)p;
}

static void *work(void *arg)
{
	before(&x);
	deep(&x, 2);
	return arg;
}

int main(void)
{
	pthread_t t;
	void *(*indirect)(void *) = work;

	pthread_create(&t, NULL, work, NULL);
	indirect(NULL);
	pthread_join(t, NULL);
	return 0;
}
