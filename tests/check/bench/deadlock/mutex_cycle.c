/*
 * Three threads, three locks, each takes its own and its neighbour's.
 * Bug: deadlock when all hold their first one.
 * Cause: no order between the locks.
 * expect: deadlock
 * found: --strategy=random --runs=1000
 */
#include "../bench.h"

#define COUNT 3

static pthread_mutex_t locks[COUNT] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
					PTHREAD_MUTEX_INITIALIZER };
static int used[COUNT];

static void *user(void *number)
{
	int own = (int)(intptr_t)number, next = (own + 1) % COUNT;

	pthread_mutex_lock(&locks[own]);
	pthread_mutex_lock(&locks[next]);
	used[own]++;
	used[next]++;
	pthread_mutex_unlock(&locks[next]);
	pthread_mutex_unlock(&locks[own]);
	return NULL;
}

int main(void)
{
	for (int i = 0; i < COUNT; i++)
		start(user, i);
	join_all();
	return 0;
}
