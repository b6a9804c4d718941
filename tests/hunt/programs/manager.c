/* Allocated and free blocks are counted under different locks.  hunt: found 27 */
#include <assert.h>
#include <pthread.h>

static int used, free_blocks = 2;
static pthread_mutex_t ul = PTHREAD_MUTEX_INITIALIZER, fl = PTHREAD_MUTEX_INITIALIZER;

static void *allocate(void *arg)
{
	pthread_mutex_lock(&fl);
	int have = free_blocks > 0;
	if (have)
		free_blocks--;
	pthread_mutex_unlock(&fl);
	if (have) {
		pthread_mutex_lock(&ul);
		used++;
		pthread_mutex_unlock(&ul);
	}
	return arg;
}

static void *check(void *arg)
{
	int u = used, f = free_blocks;

	assert(u + f == 2);
	return arg;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, i == 2 ? check : allocate, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
