/*
 * Bug: the program gives up with abort().
 * Cause: two threads register under the same key: the lookup and the insertion are not one step.
 * expect: abort
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int keys[2], count;

static int key_known(int key)
{
	int known = 0;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < count; i++)
		known |= keys[i] == key;
	pthread_mutex_unlock(&lock);
	return known;
}

static void key_insert(int key)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < count; i++)
		if (keys[i] == key)
			abort();
	keys[count++] = key;
	pthread_mutex_unlock(&lock);
}

static void *client(void *arg)
{
	if (!key_known(4))
		key_insert(4);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, client, NULL);
	pthread_create(&b, NULL, client, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
