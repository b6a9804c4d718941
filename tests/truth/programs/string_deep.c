/*
 * expect: 1
 *
 * Four values in sequence: the failing window is narrow, and only a string shows it.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char seen[8] = "0";
static volatile int stage;

static void *writer(void *arg)
{
	for (int i = 1; i <= 4; i++) {
		seen[0] = (char)('0' + i);
		stage = i;
	}
	seen[0] = '0';
	return arg;
}

int main(void)
{
	pthread_t t;
	int a, b;

	pthread_create(&t, NULL, writer, NULL);
	a = atoi(seen);
	b = atoi(seen);
	assert(!(a == 2 && b == 3));
	pthread_join(t, NULL);
	return 0;
}
