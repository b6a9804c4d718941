/*
 * insque() also changes the neighbours: not described, and that is said.
 *
 * expect: 4
 * match: insque
 */
#include <assert.h>
#include <pthread.h>
#include <search.h>

static struct item {
	struct item *next, *before;
} head, a, b;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *item)
{
	pthread_mutex_lock(&lock);
	insque(item, &head);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t s, t;

	pthread_create(&s, NULL, worker, &a);
	pthread_create(&t, NULL, worker, &b);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	assert(head.next == &a || head.next == &b);
	return 0;
}
