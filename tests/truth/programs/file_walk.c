/*
 * ftw() calls back for what it finds; so does nftw().
 *
 * expect: 0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <ftw.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int found;

static void count(void)
{
	pthread_mutex_lock(&m);
	found++;
	pthread_mutex_unlock(&m);
}

static int one(const char *path, const struct stat *s, int flag)
{
	count();
	return path[0] != '/';
}

static int other(const char *path, const struct stat *s, int flag, struct FTW *at)
{
	count();
	return at->level;
}

static void *walk(void *arg)
{
	assert(nftw("/dev/null", other, 4, FTW_PHYS) == 0);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, walk, NULL);
	assert(ftw("/dev/null", one, 4) == 0);
	pthread_join(t, NULL);
	assert(found == 2);
	return 0;
}
