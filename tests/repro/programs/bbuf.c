/*
 * Bounded buffer, 5 threads: two producers, two consumers, main.
 * Bug: `if' instead of `while' around the wait, and one condition for both sides.
 * Failure: an element is taken from an empty buffer, or put into a full one.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

#define SLOTS 2
#define EACH 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int buffer[SLOTS], count, in, out, made, used, sum_made, sum_used;

static void put(int value)
{
	pthread_mutex_lock(&lock);
	if (count == SLOTS)
		pthread_cond_wait(&changed, &lock);
	assert(count < SLOTS);
	buffer[in] = value;
	in = (in + 1) % SLOTS;
	count++;
	made++;
	sum_made += value;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

static int get(void)
{
	int value;

	pthread_mutex_lock(&lock);
	if (count == 0)
		pthread_cond_wait(&changed, &lock);
	assert(count > 0);
	value = buffer[out];
	out = (out + 1) % SLOTS;
	count--;
	used++;
	sum_used += value;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	return value;
}

static void *produce(void *arg)
{
	for (int i = 0; i < EACH; i++) {
		put((int)(long)arg * 100 + i);
		sched_yield();
	}
	return NULL;
}

static void *consume(void *arg)
{
	(void)arg;
	for (int i = 0; i < EACH; i++) {
		get();
		sched_yield();
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[4];

	for (long i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, i < 2 ? produce : consume, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	assert(made == used && sum_made == sum_used);
	return 0;
}
