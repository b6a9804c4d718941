/*
 * The failure needs the input in an execution that is not the first.
 * expect: 1
 * match: assertion failed
 * stdin: x
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int a, b;

static void *work(void *arg)
{
	for (int i = 1; i < 4; i++)
		a = i;
	b = 1;
	return arg;
}

int main(void)
{
	int c = getchar(), seen[3];
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		seen[i] = a;
	assert(!(c == 'x' && seen[0] == 1 && seen[1] == 2 && seen[2] == 3 && !b));
	pthread_join(t, NULL);
	return 0;
}
