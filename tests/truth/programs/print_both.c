/*
 * expect: 0
 * drawn
 *
 * Threads that only print do not influence each other.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *speaker(void *arg)
{
	printf("%s\n", (const char *)arg);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, speaker, "one");
	pthread_create(&b, NULL, speaker, "two");
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
