/* A configuration behind a readers and writers lock.  hunt: safe */
#include <assert.h>
#include <pthread.h>

static int low = 1, high = 2;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *change(void *arg)
{
	pthread_rwlock_wrlock(&l);
	low += 4;
	high += 4;
	pthread_rwlock_unlock(&l);
	return arg;
}

static void *use(void *arg)
{
	pthread_rwlock_rdlock(&l);
	if (low > 1)
		assert(high == 6);
	else
		assert(high == 2);
	pthread_rwlock_unlock(&l);
	return arg;
}

int main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, change, NULL);
	pthread_create(&b, NULL, use, NULL);
	pthread_create(&c, NULL, use, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
