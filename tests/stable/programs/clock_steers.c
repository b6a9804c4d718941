/* virtual: what several threads do at once depends on the clock, which shows logical time. */
#include <pthread.h>
#include <time.h>

#include "check.h"

#define THREADS 4

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned order;

static void *works(void *number)
{
	struct timespec now, last = {0, 0};
	for (int i = 0; i < 100; i++) {
		for (volatile int k = 0; k < i % 7 * 1000; k++)
			continue;
		EXPECT(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
		EXPECT(now.tv_sec > last.tv_sec ||
		       (now.tv_sec == last.tv_sec && now.tv_nsec > last.tv_nsec));
		last = now;
		for (long n = now.tv_nsec / 3000 % 3; n >= 0; n--) {
			pthread_mutex_lock(&mutex);
			order = order * 31 + (unsigned)(long)number;
			pthread_mutex_unlock(&mutex);
		}
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (long i = 0; i < THREADS; i++)
		EXPECT(pthread_create(&threads[i], NULL, works, (void *)i) == 0);
	for (int i = 0; i < THREADS; i++)
		EXPECT(pthread_join(threads[i], NULL) == 0);
	printf("%u\n", order);
	return 0;
}
