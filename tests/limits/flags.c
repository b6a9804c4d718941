/* Threads that go over many objects: each step has another set of objects before it. */
#include <pthread.h>

#define FLAGS 8000
#define THREADS 8

static pthread_once_t flags[FLAGS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void once(void)
{
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
}

static void *work(void *arg)
{
	for (int i = 0; i < FLAGS; i++)
		pthread_once(&flags[i], once);
	return arg;
}

int main(void)
{
	pthread_t t[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return count != FLAGS;
}
