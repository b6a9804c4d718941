/*
 * A message behind a flag that is stored with release, and one behind a lock: nothing is late.
 *
 * expect: 0
 * options: --model=pso --races=error
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int message, other, got;
static atomic_int flag;

static void *sender(void *arg)
{
	pthread_mutex_lock(&lock);
	other = 1;
	pthread_mutex_unlock(&lock);
	message = 1;
	atomic_store_explicit(&flag, 1, memory_order_release);
	return arg;
}

static void *receiver(void *arg)
{
	if (atomic_load_explicit(&flag, memory_order_acquire))
		got = message;
	pthread_mutex_lock(&lock);
	got += other;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, sender, NULL);
	pthread_create(&t[1], NULL, receiver, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
