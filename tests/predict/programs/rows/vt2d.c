/*
 * x is read after its section; swapping the two sections lets the other write meet that read.
 */
#include "../program.h"

static int x;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg)
{
	pthread_mutex_lock(&l);
	x = 2;
	pthread_mutex_unlock(&l);
	return x < 0 ? arg : NULL;
}

int main(void)
{
	pthread_t t[1];

	pthread_create(&t[0], NULL, reader, NULL);
	pthread_mutex_lock(&l);
	x = 1;
	pthread_mutex_unlock(&l);
	join_all(t, 1);
	return 0;
}
