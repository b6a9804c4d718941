/* A flag that is set around work, and a cleaner that wants it set.  hunt: found 25 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int in_try, worked;
static int rounds = 1;

static void *work(void *arg)
{
	in_try = 1;
	for (int i = 0; i < rounds; i++) {
		in_try = 0;
		worked++;
		in_try = 1;
	}
	return arg;
}

static void *clean(void *arg)
{
	if (worked == 0)
		return arg;
	/* Stands for an interrupt that must hit the work. */
	assert(in_try);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	rounds = argc > 1 ? atoi(argv[1]) : 1;
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, clean, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
