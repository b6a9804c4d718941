/* det: 1 to 256 threads, created and joined, each taking a lock and returning its number. */
#include <pthread.h>
#include <stdint.h>

#include "check.h"

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *work(void *n)
{
	pthread_mutex_lock(&mu);
	sum += (int)(intptr_t)n;
	pthread_mutex_unlock(&mu);
	return n;
}

int main(void)
{
	static pthread_t t[256];
	for (int n = 1; n <= 256; n *= 4) {
		sum = 0;
		for (intptr_t i = 0; i < n; i++)
			EXPECT(pthread_create(&t[i], NULL, work, (void *)i) == 0);
		for (intptr_t i = 0; i < n; i++) {
			void *value;
			EXPECT(pthread_join(t[i], &value) == 0);
			EXPECT(value == (void *)i);
		}
		EXPECT(sum == n * (n - 1) / 2);
	}
	return 0;
}
