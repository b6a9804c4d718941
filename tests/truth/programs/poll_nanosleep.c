/*
 * A loop that waits, with a structure on its stack made anew and a structure of others copied in every
 * round: one wait.
 *
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>

struct state {
	int ready, number;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct state state;

static void *make_ready(void *arg)
{
	pthread_mutex_lock(&lock);
	state.ready = 1;
	state.number = 7;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	struct state seen;
	pthread_t t;

	pthread_create(&t, NULL, make_ready, NULL);
	do {
		struct timespec while_ms = {0, 1000000};

		nanosleep(&while_ms, NULL);
		pthread_mutex_lock(&lock);
		seen = state;
		pthread_mutex_unlock(&lock);
	} while (!seen.ready);
	assert(seen.number == 7);
	pthread_join(t, NULL);
	return 0;
}
