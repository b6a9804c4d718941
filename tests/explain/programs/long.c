/* A long execution with the failure at its end. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count, total, table[64];

static void *work(void *arg)
{
	int before = total;

	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&lock);
		table[i % 64] += i;
		count++;
		pthread_mutex_unlock(&lock);
	}
	total = before + 1;
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(total == 2);
	return 0;
}
