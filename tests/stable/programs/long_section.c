/* det: computations inside critical sections of different locks, which the turn keeps apart. */
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t mu[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static volatile unsigned sink[2];

static void *work(void *argument)
{
	intptr_t self = (intptr_t)argument;
	for (int i = 0; i < 40; i++) {
		int which = (int)(self + i) % 2;
		pthread_mutex_lock(&mu[which]);
		for (unsigned k = 0; k < 300000; k++)
			sink[which] = sink[which] * 31 + k;
		pthread_mutex_unlock(&mu[which]);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	for (intptr_t i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
