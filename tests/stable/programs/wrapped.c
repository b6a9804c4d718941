/* det: locks behind functions of the program; hints and profiles look through with --depth=1. */
#include <pthread.h>
#include <stdio.h>

#include "check.h"

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static long sum;

static __attribute__((noinline)) void take(void)
{
	pthread_mutex_lock(&mu);
	__asm__ volatile(""); /* no tail call: the frame stays */
}

static __attribute__((noinline)) void give(void)
{
	pthread_mutex_unlock(&mu);
	__asm__ volatile("");
}

static void *work(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3000; i++) {
		take();
		sum++;
		give();
	}
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		EXPECT(pthread_create(&t[i], NULL, work, NULL) == 0);
	for (int i = 0; i < 2; i++)
		EXPECT(pthread_join(t[i], NULL) == 0);
	printf("%ld\n", sum);
	return 0;
}
