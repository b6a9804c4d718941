/*
 * A wait guarded by the flag z; the signal came early and is lost.  The reader did not wait because
 * it saw z, and so x.
 */
#include "../program.h"

static int x, z;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

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
	pthread_t t[1];

	x = 0;
	z = 0;
	pthread_create(&t[0], NULL, reader, NULL);
	x = 1;
	pthread_mutex_lock(&l);
	pthread_cond_signal(&c);
	z = 1;
	pthread_mutex_unlock(&l);
	join_all(t, 1);
	return 0;
}
