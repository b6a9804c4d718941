/*
 * Structures are copied as a whole under a lock; fields are set one by one, one of them without it.
 *
 * expect race copies unlocked
 */
#include <pthread.h>

struct point {
	long x, y, z;
};
static struct point now, kept;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *arg)
{
	pthread_mutex_lock(&lock);
	now.x = 1;
	now.y = 2;
	pthread_mutex_unlock(&lock);
	now.z = 3; /* unlocked */
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, other, NULL);
	pthread_mutex_lock(&lock);
	kept = now; /* copies */
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return kept.x == 1 && kept.y != 2;
}
