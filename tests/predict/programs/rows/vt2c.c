/*
 * The first write of x is outside of the lock that protects the second.
 */
#include "../program.h"

static int x;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg)
{
	int sum;

	pthread_mutex_lock(&l);
	sum = x;
	pthread_mutex_unlock(&l);
	return sum < 0 ? arg : NULL;
}

int main(void)
{
	pthread_t t[1];

	pthread_create(&t[0], NULL, reader, NULL);
	x = 1;
	pthread_mutex_lock(&l);
	x = 2;
	pthread_mutex_unlock(&l);
	join_all(t, 1);
	return 0;
}
