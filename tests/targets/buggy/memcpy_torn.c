/*
 * Bug: a copied record mixes two versions.
 * Cause: the record is copied with memcpy while its fields are updated one by one.
 * expect: assert
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct record {
	long a, b, c;
};

static struct record shared;

static void *updater(void *arg)
{
	shared.a = 1;
	shared.b = 1;
	shared.c = 1;
	return arg;
}

static void *copier(void *arg)
{
	struct record mine;

	memcpy(&mine, &shared, sizeof(mine));
	assert(mine.a == mine.b && mine.b == mine.c);
	return arg;
}

int main(void)
{
	pthread_t u, c;

	pthread_create(&u, NULL, updater, NULL);
	pthread_create(&c, NULL, copier, NULL);
	pthread_join(u, NULL);
	pthread_join(c, NULL);
	return 0;
}
