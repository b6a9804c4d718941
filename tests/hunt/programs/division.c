/* The divisor becomes zero behind its test.  hunt: found 9 */
#include <pthread.h>

static volatile int n = 2, r;

static void *divide(void *arg)
{
	if (n > 0)
		r = 10 / n;
	return arg;
}

static void *clear(void *arg)
{
	n = 0;
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, divide, NULL);
	pthread_create(&b, NULL, clear, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
