/*
 * The parent changes the delay outside of the lock under which everything else is kept.
 */
#include "../program.h"

static int a, b, c, delay;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

static void *timer(void *arg)
{
	int sum;

	pass(&l, 5);
	pthread_mutex_lock(&l);
	sum = a;
	pthread_mutex_unlock(&l);
	pthread_mutex_lock(&l);
	sum += b;
	sum += c;
	pthread_mutex_unlock(&l);
	pthread_mutex_lock(&l);
	a++;
	pthread_mutex_unlock(&l);
	return sum + delay < 0 ? arg : NULL;
}

int main(void)
{
	pthread_t t[1];
	int sum;

	a = 0;
	b = 0;
	c = 0;
	pthread_create(&t[0], NULL, timer, NULL);
	delay = 1;
	pass(&l, 7);
	pthread_mutex_lock(&l);
	sum = b;
	pthread_mutex_unlock(&l);
	join_all(t, 1);
	return sum < 0;
}
