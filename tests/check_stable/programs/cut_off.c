/* ./cut_off computes|waits: main leaves while a thread computes, which ends in a failure, or waits. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t here = PTHREAD_COND_INITIALIZER;
static volatile int rounds;
static int started;

static void *computes(void *arg)
{
	for (int i = 0; i < 20000000; i++)
		rounds = i;
	assert(rounds == 0);
	return arg;
}

static void *waits(void *arg)
{
	pthread_mutex_lock(&lock);
	started = 1;
	pthread_cond_broadcast(&here);
	while (started)
		pthread_cond_wait(&here, &lock);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	if (argc > 1 && strcmp(argv[1], "computes") == 0) {
		pthread_create(&t, NULL, computes, NULL);
		return 0;
	}
	pthread_create(&t, NULL, waits, NULL);
	pthread_mutex_lock(&lock);
	while (!started)
		pthread_cond_wait(&here, &lock);
	pthread_mutex_unlock(&lock);
	return 0;
}
