/*
 * After realloc to fewer bytes the old length is out of bounds.
 *
 * expect: 1
 * match: beyond the end of a block of 5
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *text;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	text = realloc(text, 5);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t;

	text = malloc(9);
	pthread_create(&t, NULL, worker, NULL);
	pthread_mutex_lock(&lock);
	text[7] = 'x';
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	free(text);
	return 0;
}
