/*
 * Random numbers from several sources; each is used in its range only.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int tally[4];

static void *drawer(void *arg)
{
	unsigned seed, mine;

	assert(getrandom(&seed, sizeof(seed), 0) == sizeof(seed));
	mine = (unsigned)rand_r(&seed);
	pthread_mutex_lock(&lock);
	tally[mine % 4]++;
	tally[rand() % 4]++;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	srand(7);
	pthread_create(&a, NULL, drawer, NULL);
	pthread_create(&b, NULL, drawer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(tally[0] + tally[1] + tally[2] + tally[3] == 4);
	return 0;
}
