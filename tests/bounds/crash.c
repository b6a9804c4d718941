/* Some schedules kill the process; the search goes on behind them. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int *nowhere;

static void *work(void *arg)
{
	int v = x;

	x = v + 1;
	if (arg && x == 1)
		*nowhere = 1;
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, &x);
	work(NULL);
	pthread_join(t, NULL);
	return 0;
}
