/* det: a number goes round through memory alone, several threads wait for it in loops at once, and
 * what they then do under a lock has one order. */
#include <pthread.h>

#include "check.h"

#define THREADS 3
#define ROUNDS 6

static volatile int at[THREADS + 1];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned order;

static void note(unsigned who)
{
	pthread_mutex_lock(&mutex);
	order = order * 31 + who;
	pthread_mutex_unlock(&mutex);
}

static void await(const volatile int *where, int value)
{
	while (*where < value)
		continue;
}

static void *passes(void *number)
{
	long i = (long)number;
	for (int round = 1; round <= ROUNDS; round++) {
		await(&at[i], round);
		note((unsigned)i);
		at[i + 1] = round;
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (long i = 0; i < THREADS; i++)
		EXPECT(pthread_create(&threads[i], NULL, passes, (void *)i) == 0);
	for (int round = 1; round <= ROUNDS; round++) {
		for (int i = 0; i < 5; i++)
			note(9);
		at[0] = round;
		await(&at[THREADS], round);
	}
	for (int i = 0; i < THREADS; i++)
		EXPECT(pthread_join(threads[i], NULL) == 0);
	printf("%u\n", order);
	return 0;
}
