/* A limit from the environment, tested and used under different locks.  hunt: found 42 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define WORKERS 3

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int limit, busy, most;

static void *work(void *arg)
{
	int room;

	pthread_mutex_lock(&m);
	room = busy < limit;
	pthread_mutex_unlock(&m);
	if (!room)
		return arg;
	/* Others may have come in between. */
	pthread_mutex_lock(&m);
	busy++;
	if (busy > most)
		most = busy;
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	busy--;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	const char *text = getenv("LIMIT");
	pthread_t t[WORKERS];

	limit = text ? atoi(text) : 2;
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], NULL);
	assert(most <= limit);
	return 0;
}
