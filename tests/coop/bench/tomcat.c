/* A class loader looks a resource up and puts it when it is not there: two steps, so that two
 * threads load one class and each has its own. */
#include <assert.h>

#include "bench.h"

#define CLASSES 4

struct resource {
	int loaded, name, size;
};
static struct loader {
	struct resource *map[CLASSES];
	int hits, misses, loads, depth;
} loader;
static struct resource pool[4 * CLASSES];
static struct {
	int requests, errors, bytes;
} server;
static int used, window;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, making = PTHREAD_MUTEX_INITIALIZER;

static struct resource *get(int name)
{
	struct resource *r;

	pthread_mutex_lock(&lock);
	r = loader.map[name];
	if (r)
		loader.hits++;
	else
		loader.misses++;
	pthread_mutex_unlock(&lock);
	return r;
}

static void put(int name)
{
	struct resource *r;

	pthread_mutex_lock(&making);
	r = &pool[used++];
	pthread_mutex_unlock(&making);
	r->name = name;
	r->size = 10 * name;
	r->loaded = 1;
	if (name == CLASSES - 1)
		rest(window);
	pthread_mutex_lock(&lock);
	loader.map[name] = r;
	loader.loads++;
	pthread_mutex_unlock(&lock);
}

static void *request(void *arg)
{
	rest((int)(long)arg);
	for (int i = 0; i < CLASSES; i++) {
		rest(1);
		if (!get(i))
			put(i);
		server.bytes += get(i)->size;
	}
	server.requests++;
	return NULL;
}

int main(int argc, char **argv)
{
	window = bench_size(argc, argv, 1);
	bench_run(2, (void *(*const[])(void *)){request, request});
	assert(loader.loads == CLASSES);
	return 0;
}
