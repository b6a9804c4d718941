/* Two values that belong together are written in two critical sections. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock1 = PTHREAD_MUTEX_INITIALIZER, lock2 = PTHREAD_MUTEX_INITIALIZER;
static int data1, data2, rounds = 1;

static void *stage(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		pthread_mutex_lock(&lock1);
		data1 = i + 1;
		pthread_mutex_unlock(&lock1);
		pthread_mutex_lock(&lock2);
		data2 = data1 + 1;
		pthread_mutex_unlock(&lock2);
	}
	return arg;
}

static void *read_both(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		pthread_mutex_lock(&lock1);
		int one = data1;
		pthread_mutex_unlock(&lock1);
		if (one == 0)
			continue;
		pthread_mutex_lock(&lock2);
		int two = data2;
		pthread_mutex_unlock(&lock2);
		assert(two >= one + 1);
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	rounds = argc > 1 ? atoi(argv[1]) : 1;
	pthread_create(&a, NULL, stage, NULL);
	pthread_create(&b, NULL, read_both, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
