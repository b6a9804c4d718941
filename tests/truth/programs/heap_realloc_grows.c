/*
 * What is in a block moves with it.
 *
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *numbers, count;

/* The other program of the pair forgets to lock. */
#ifdef UNLOCKED
#define LOCK() ((void)0)
#define UNLOCK() ((void)0)
#else
#define LOCK() pthread_mutex_lock(&mutex)
#define UNLOCK() pthread_mutex_unlock(&mutex)
#endif

static void *appender(void *arg)
{
	for (int i = 0; i < 2; i++) {
		LOCK();
		numbers = realloc(numbers, (count + 1) * sizeof(*numbers));
		numbers[count] = count;
		count++;
		UNLOCK();
	}
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, appender, NULL);
	appender(NULL);
	pthread_join(t, NULL);
	for (int i = 0; i < 4; i++)
		assert(numbers[i] == i);
	free(numbers);
	return 0;
}
