/*
 * Correct: each half of an array has its lock; who works on all of it takes both.
 *
 * expect nothing
 */
#include <pthread.h>
#include <string.h>

static int cells[8], copy[8];
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

static void *low(void *arg)
{
	pthread_mutex_lock(&left);
	memset(cells, 1, 4 * sizeof(int));
	cells[0]++;
	pthread_mutex_unlock(&left);
	return arg;
}

static void *high(void *arg)
{
	pthread_mutex_lock(&right);
	cells[4]++;
	memmove(cells + 5, cells + 4, 3 * sizeof(int));
	pthread_mutex_unlock(&right);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	memset(cells, 0, sizeof(cells));
	pthread_create(&a, NULL, low, NULL);
	pthread_create(&b, NULL, high, NULL);
	pthread_mutex_lock(&left);
	pthread_mutex_lock(&right);
	memcpy(copy, cells, sizeof(copy));
	memset(cells, 0, sizeof(cells));
	pthread_mutex_unlock(&right);
	pthread_mutex_unlock(&left);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
