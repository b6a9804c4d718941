/*
 * Bug: two threads spin for ever.
 * Cause: two spin locks taken in opposite orders.
 * expect: deadlock
 */
#include <pthread.h>

static pthread_spinlock_t a, b;
static int shared;

static void *first(void *arg)
{
	pthread_spin_lock(&a);
	pthread_spin_lock(&b);
	shared++;
	pthread_spin_unlock(&b);
	pthread_spin_unlock(&a);
	return arg;
}

static void *second(void *arg)
{
	pthread_spin_lock(&b);
	pthread_spin_lock(&a);
	shared--;
	pthread_spin_unlock(&a);
	pthread_spin_unlock(&b);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_spin_init(&a, PTHREAD_PROCESS_PRIVATE);
	pthread_spin_init(&b, PTHREAD_PROCESS_PRIVATE);
	pthread_create(&t, NULL, first, NULL);
	pthread_create(&u, NULL, second, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
