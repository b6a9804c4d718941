/* det: a thread that only looks whether it is cancelled, with and without another operation
 * between; whoever cancels it needs turns for that. */
#include <pthread.h>

#include "check.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *looks(void *unused)
{
	(void)unused;
	for (;;)
		pthread_testcancel();
	return NULL;
}

static void *works(void *unused)
{
	(void)unused;
	for (;;) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
		pthread_testcancel();
	}
	return NULL;
}

int main(void)
{
	void *(*const starts[])(void *) = {looks, works, looks};
	for (int round = 0; round < 9; round++) {
		pthread_t thread;
		void *result;
		pthread_create(&thread, NULL, starts[round % 3], NULL);
		for (int i = 0; i < 100; i++) {
			pthread_mutex_lock(&mutex);
			pthread_mutex_unlock(&mutex);
		}
		EXPECT(pthread_cancel(thread) == 0);
		EXPECT(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
	}
	puts("done");
	return 0;
}
