/*
 * Library functions between stores and loads under a lock: nothing is late that anybody could see.
 *
 * expect: 0
 * options: --model=tso --algorithm=learn
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char name[16];
static int changes;

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	changes++;
	if (strlen(name) < 8)
		strcat(name, "ab");
	changes++;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(strcmp(name, "abab") == 0 && changes == 4);
	return 0;
}
