/* A cache of objects: who has found one uses it without the lock, the cleaner drops old
 * ones. */
#include <assert.h>

#include "bench.h"

#define ENTRIES 4

static struct entry {
	int valid, value;
} cache[ENTRIES];
static int rounds, cleaned;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int lookup(int key)
{
	int there;

	pthread_mutex_lock(&lock);
	there = cache[key].valid;
	if (!there) {
		cache[key].value = key + 100;
		cache[key].valid = 1;
	}
	pthread_mutex_unlock(&lock);
	if (there == 0)
		rest(1);
	return cache[key].value;
}

static void *user(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		int key = i % ENTRIES;

		rest(1);
		assert(lookup(key) == key + 100);
	}
	return arg;
}

static void *cleaner(void *arg)
{
	for (int i = 0; i < rounds / 5; i++) {
		rest(4);
		pthread_mutex_lock(&lock);
		cache[0].valid = 0;
		cache[0].value = 0;
		cleaned++;
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int main(int argc, char **argv)
{
	rounds = bench_size(argc, argv, 20);
	bench_run(2, (void *(*const[])(void *)){user, cleaner});
	return 0;
}
