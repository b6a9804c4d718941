/*
 * expect: 0
 *
 * The program has its own function of a name the library has too.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char shared[8];

__attribute__((noinline)) size_t strlcpy(char *to, const char *from, size_t n)
{
	size_t i;

	for (i = 0; i + 1 < n && from[i]; i++)
		to[i] = from[i];
	to[i] = 0;
	return i;
}

static void *writer(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, writer, NULL);
	strlcpy(shared, "abc", sizeof(shared));
	pthread_join(t, NULL);
	assert(shared[2] == 'c');
	return 0;
}
