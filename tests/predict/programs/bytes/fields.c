/*
 * A structure is cleared as a whole; then two fields are used under a lock and each thread has one of
 * its own.  Nothing is wrong with it: what one access covers together does not belong together.
 */
#include <pthread.h>
#include <string.h>

static struct {
	long a, b;
	volatile long mine, yours;
} s;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *arg)
{
	pthread_mutex_lock(&lock);
	s.a++;
	pthread_mutex_unlock(&lock);
	s.yours = 1;
	s.yours++;
	return arg;
}

int main(void)
{
	pthread_t t;

	memset(&s, 0, sizeof(s));
	pthread_create(&t, NULL, other, NULL);
	s.mine = 1;
	pthread_mutex_lock(&lock);
	s.a++;
	s.b = s.mine;
	pthread_mutex_unlock(&lock);
	s.mine++;
	pthread_join(t, NULL);
	return s.a == 2 ? 0 : 1;
}
