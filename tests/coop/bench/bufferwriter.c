/* Writers insert at a position and count, a resetter clears both now and then, a checker compares:
 * index and counter are not changed in one step. */
#include <assert.h>

#include "bench.h"

#define SLOTS 64

static int buffer[SLOTS], pos, written, resets, rounds;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		if (i % 200 == 0)
			rest(1);
		pthread_mutex_lock(&lock);
		buffer[pos % SLOTS] = i;
		pos++;
		pthread_mutex_unlock(&lock);
		if (i % 2000 == 1000)
			rest(1);
		pthread_mutex_lock(&lock);
		written++;
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

static void *resetter(void *arg)
{
	for (int i = 0; i < 30; i++) {
		rest(1);
		pthread_mutex_lock(&lock);
		resets++;
		pos = 0;
		written = 0;
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int main(int argc, char **argv)
{
	rounds = bench_size(argc, argv, 8000);
	bench_run(2, (void *(*const[])(void *)){writer, resetter});
	assert(pos == written);
	return 0;
}
