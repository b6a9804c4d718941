/*
 * ecvt stores where the point is and the sign; gcvt writes digits.
 *
 * expect: 0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* The other program of the pair forgets to lock. */
#ifdef UNLOCKED
#define LOCK() ((void)0)
#define UNLOCK() ((void)0)
#else
#define LOCK() pthread_mutex_lock(&mutex)
#define UNLOCK() pthread_mutex_unlock(&mutex)
#endif

static int point = 7, sign;
static char digits[16] = "7";

static void *writer(void *arg)
{
	LOCK();
	ecvt(12.5, 3, &point, &sign);
	gcvt(2.5, 3, digits);
	UNLOCK();
	return arg;
}

int main(void)
{
	pthread_t t;
	int before, after;

	pthread_create(&t, NULL, writer, NULL);
	LOCK();
	before = point;
	after = digits[0];
	UNLOCK();
	pthread_join(t, NULL);
	assert((before == 7) == (after == '7'));
	assert(point == 2 && digits[0] == '2');
	return 0;
}
