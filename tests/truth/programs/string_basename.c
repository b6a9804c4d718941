/*
 * basename() of POSIX cuts the string.
 *
 * expect: 1
 * match: assertion failed
 */
#include <assert.h>
#include <libgen.h>
#include <pthread.h>

static char path[] = "/a/b/";

static void *worker(void *arg)
{
	basename(path);
	return arg;
}

int main(void)
{
	pthread_t t;
	int seen;

	pthread_create(&t, NULL, worker, NULL);
	seen = path[4];
	pthread_join(t, NULL);
	assert(seen == '/');
	return 0;
}
