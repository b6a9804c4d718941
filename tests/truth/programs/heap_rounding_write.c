/*
 * One byte beyond a block, inside what the allocator rounds up to, in one order only.
 *
 * expect: 1
 * match: write of 1 bytes beyond the end of a block of 10
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int at = 9;
static char *text;

static void *worker(void *arg)
{
	at++;
	at--;
	return NULL;
}

int main(void)
{
	pthread_t t;

	text = malloc(10);
	pthread_create(&t, NULL, worker, NULL);
	text[at] = 1;
	pthread_join(t, NULL);
	free(text);
	return 0;
}
