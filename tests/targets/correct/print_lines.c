/*
 * Threads that print: whole lines, in some order.
 * expect: clean
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void *speaker(void *arg)
{
	char line[32];

	snprintf(line, sizeof(line), "thread %ld\n", (long)arg);
	fputs(line, stdout);
	return (void *)strlen(line);
}

int main(void)
{
	pthread_t a, b;
	void *length;

	pthread_create(&a, NULL, speaker, (void *)1L);
	pthread_create(&b, NULL, speaker, (void *)2L);
	pthread_join(a, &length);
	pthread_join(b, NULL);
	return length == (void *)9L ? 0 : 1;
}
