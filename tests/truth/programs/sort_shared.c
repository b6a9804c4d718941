/*
 * expect: 0
 * drawn
 *
 * qsort under a lock, with a comparator of the program.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int numbers[4] = {3, 1, 2, 0};

static int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void *sorter(void *arg)
{
	pthread_mutex_lock(&lock);
	qsort(numbers, 4, sizeof(int), by_value);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, sorter, NULL);
	pthread_mutex_lock(&lock);
	assert(numbers[0] == 3 || numbers[0] == 0);
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	assert(numbers[3] == 3);
	return 0;
}
