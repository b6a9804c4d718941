/* spins: two threads hand a number to each other through memory alone, many times, and count how
 * often they looked, so that nobody can tell that they only wait; the turn is kept in the loops,
 * and the program ends only when its places were learned.  The end comes late, so that what was
 * said is there before. */
#include <pthread.h>
#include <unistd.h>

#include "check.h"

#define ROUNDS 50

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int there, back;
static volatile long looks;

static void operate(void)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
}

static void await(int *at, int value)
{
	while (__atomic_load_n(at, __ATOMIC_ACQUIRE) < value)
		looks++;
}

static void *answers(void *unused)
{
	(void)unused;
	for (int i = 1; i <= ROUNDS; i++) {
		operate();
		await(&there, i);
		operate();
		__atomic_store_n(&back, i, __ATOMIC_RELEASE);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, answers, NULL);
	for (int i = 1; i <= ROUNDS; i++) {
		operate();
		operate();
		__atomic_store_n(&there, i, __ATOMIC_RELEASE);
		await(&back, i);
	}
	pthread_join(thread, NULL);
	for (int i = 0; i < 40; i++)
		EXPECT(access("/", R_OK) == 0 && usleep(100000) == 0);
	puts("done");
	return 0;
}
