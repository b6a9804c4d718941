/*
 * %n stores how much was printed: under a lock, before or after it is looked at.  Every run begins
 * with nothing stored.
 *
 * expect: 0
 * match: all 2 behaviours
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *prints(void *arg)
{
	char text[8];

	pthread_mutex_lock(&mutex);
	snprintf(text, sizeof(text), "ab%n", &count);
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t thread;
	int now;

	pthread_create(&thread, 0, prints, 0);
	pthread_mutex_lock(&mutex);
	now = count;
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, 0);
	assert(now == 0 || now == 2);
	assert(count == 2);
	return 0;
}
