/*
 * expect: 1
 * drawn
 *
 * strtok keeps its place for the whole process.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *other(void *arg)
{
	char text[] = "x y";

	strtok(text, " ");
	return arg;
}

int main(void)
{
	pthread_t t;
	char text[] = "a b", *second;

	pthread_create(&t, NULL, other, NULL);
	strtok(text, " ");
	second = strtok(NULL, " ");
	assert(second && *second == 'b');
	pthread_join(t, NULL);
	return 0;
}
