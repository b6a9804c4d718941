/* The failing branch needs the other order of the locks: no passing run takes the same branches. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first, wrong;

static void *one(void *arg)
{
	pthread_mutex_lock(&lock);
	if (first == 0)
		first = 1;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *two(void *arg)
{
	pthread_mutex_lock(&lock);
	if (first == 0) {
		first = 2;
		wrong = 1;
	}
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, two, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(!wrong);
	return 0;
}
