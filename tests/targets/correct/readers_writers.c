/*
 * A reader-writer lock made of a mutex and a condition variable.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writing, left, right;

static void *reader(void *arg)
{
	pthread_mutex_lock(&lock);
	while (writing)
		pthread_cond_wait(&changed, &lock);
	readers++;
	pthread_mutex_unlock(&lock);
	assert(left == right);
	pthread_mutex_lock(&lock);
	if (--readers == 0)
		pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *writer(void *arg)
{
	pthread_mutex_lock(&lock);
	while (writing || readers > 0)
		pthread_cond_wait(&changed, &lock);
	writing = 1;
	pthread_mutex_unlock(&lock);
	left++;
	right++;
	pthread_mutex_lock(&lock);
	writing = 0;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t r[2], w;

	pthread_create(&r[0], NULL, reader, NULL);
	pthread_create(&w, NULL, writer, NULL);
	pthread_create(&r[1], NULL, reader, NULL);
	pthread_join(r[0], NULL);
	pthread_join(r[1], NULL);
	pthread_join(w, NULL);
	assert(left == 1 && right == 1);
	return 0;
}
