/* Threads swap neighbours, each pair under a lock of its own.  hunt: found 43 */
#include <assert.h>
#include <pthread.h>

static int a[3] = {3, 2, 1};
static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void swap(int i)
{
	pthread_mutex_lock(&lock[i]);
	if (a[i] > a[i + 1]) {
		int x = a[i];

		a[i] = a[i + 1];
		a[i + 1] = x;
	}
	pthread_mutex_unlock(&lock[i]);
}

static void *left(void *arg)
{
	swap(0);
	return arg;
}

static void *right(void *arg)
{
	swap(1);
	return arg;
}

int main(void)
{
	pthread_t s, t;

	pthread_create(&s, NULL, left, NULL);
	pthread_create(&t, NULL, right, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	swap(0);
	swap(1);
	swap(0);
	assert(a[0] + a[1] + a[2] == 6);
	return 0;
}
