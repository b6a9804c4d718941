/*
 * expect: 1
 * match: outside|heap
 *
 * strcpy into a block that is too small.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *block;
static const char *text = "ok";

static void *longer(void *arg)
{
	text = "far too long for the block that was asked for";
	return arg;
}

int main(void)
{
	pthread_t t;

	block = malloc(16);
	pthread_create(&t, NULL, longer, NULL);
	strcpy(block, text);
	pthread_join(t, NULL);
	free(block);
	return 0;
}
