/*
 * Threads and mutexes of C11: the sum is kept together, what the first thread leaves is not.
 *
 * analyze: race left 1
 */
#include <threads.h>

static mtx_t lock;
static int sum, left;

static int first(void *arg)
{
	mtx_lock(&lock);
	sum++;
	left = 1;
	mtx_unlock(&lock);
	return arg != NULL;
}

static void add(void)
{
	mtx_lock(&lock);
	sum++;
	mtx_unlock(&lock);
}

int main(void)
{
	thrd_t t;
	int seen;

	mtx_init(&lock, mtx_plain);
	thrd_create(&t, first, NULL);
	add();
	add();
	add();
	add();
	seen = left;
	thrd_join(t, NULL);
	mtx_destroy(&lock);
	return seen < 0;
}
