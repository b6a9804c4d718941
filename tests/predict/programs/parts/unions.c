/*
 * One memory under two names and two sizes: the halves of a word, and the word.
 *
 * expect race low whole
 * expect race high whole
 */
#include <pthread.h>
#include <stdint.h>

static union {
	uint64_t whole;
	uint32_t half[2];
} u;
static volatile uint32_t seen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *arg)
{
	pthread_mutex_lock(&lock);
	u.half[0] = 1; /* low */
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	seen = u.half[1]; /* high */
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, other, NULL);
	u.whole = UINT64_C(1) << 32; /* whole */
	pthread_join(t, NULL);
	return 0;
}
