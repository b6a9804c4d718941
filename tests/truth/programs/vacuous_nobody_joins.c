/*
 * Nobody joins the thread whose assumption never holds: the process may end before it comes there, and
 * in such an execution the others wait for nothing that would be a failure.
 *
 * expect: 0
 * match: no failure in all 3 behaviours
 * match: before a thread that nobody waits for comes to an assumption
 */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;
static int seen;

static void *holds(void *arg)
{
	pthread_mutex_lock(&lock);
	heddle_assume(x > 1);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *waits(void *arg)
{
	pthread_mutex_lock(&lock);
	x = 1;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, holds, NULL);
	pthread_create(&t[1], NULL, waits, NULL);
	seen = x;
	return 0;
}
