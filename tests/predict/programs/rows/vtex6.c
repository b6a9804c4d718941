/*
 * As vtex4, but the reader is there in time and waits: the signal orders x.
 */
#include "../program.h"

static int x, z;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *writer(void *arg)
{
	step_back();
	x = 1;
	pthread_mutex_lock(&l);
	pthread_cond_signal(&c);
	z = 1;
	pthread_mutex_unlock(&l);
	return arg;
}

static void *reader(void *arg)
{
	int sum;

	pthread_mutex_lock(&l);
	if (!z)
		pthread_cond_wait(&c, &l);
	sum = x;
	pthread_mutex_unlock(&l);
	return sum < 0 ? arg : NULL;
}

int main(void)
{
	pthread_t t[2];

	x = 0;
	z = 0;
	pthread_create(&t[0], NULL, writer, NULL);
	pthread_create(&t[1], NULL, reader, NULL);
	join_all(t, 2);
	return 0;
}
