/*
 * Bug: main waits for a signal that was given before.
 * Cause: cnd_wait without a predicate.
 * expect: deadlock
 */
#include <threads.h>

static mtx_t lock;
static cnd_t done;

static int worker(void *arg)
{
	(void)arg;
	mtx_lock(&lock);
	cnd_signal(&done);
	mtx_unlock(&lock);
	return 0;
}

int main(void)
{
	thrd_t t;

	mtx_init(&lock, mtx_plain);
	cnd_init(&done);
	thrd_create(&t, worker, NULL);
	mtx_lock(&lock);
	cnd_wait(&done, &lock);
	mtx_unlock(&lock);
	thrd_join(t, NULL);
	return 0;
}
