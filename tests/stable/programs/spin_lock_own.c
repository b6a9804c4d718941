/* atomics: a lock that is an exchanged flag, with locks of the system beside it; the calls are the
 * same in every run, who has the flag is not. */
#include <pthread.h>

#include "check.h"

#define ROUNDS 300

static char taken;
static unsigned order, count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *takes(void *number)
{
	for (int i = 0; i < ROUNDS; i++) {
		while (__atomic_test_and_set(&taken, __ATOMIC_ACQUIRE))
			continue;
		order = order * 31 + (unsigned)(long)number;
		count++;
		__atomic_clear(&taken, __ATOMIC_RELEASE);
		if (i % 50)
			continue;
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (long i = 0; i < 2; i++)
		EXPECT(pthread_create(&threads[i], NULL, takes, (void *)(i + 1)) == 0);
	for (int i = 0; i < 2; i++)
		EXPECT(pthread_join(threads[i], NULL) == 0);
	EXPECT(count == 2 * ROUNDS);
	printf("%u\n", order);
	return 0;
}
