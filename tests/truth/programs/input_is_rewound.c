/*
 * Every execution reads the same input, by read, by a stream and by a seek.
 * expect: 0
 * stdin: one two
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *arg)
{
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	char c = 0, word[8] = "";
	pthread_t t;

	assert(read(0, &c, 1) == 1 && c == 'o');
	assert(scanf("%7s", word) == 1 && strcmp(word, "ne") == 0);
	pthread_create(&t, NULL, work, NULL);
	work(NULL);
	pthread_join(t, NULL);
	assert(count == 2);
	return 0;
}
