/*
 * C11 timed and try locks, timed waits and thrd_sleep.
 * expect: clean
 */
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static cnd_t done;
static int finished;

static int worker(void *arg)
{
	struct timespec pause = {0, 1000};

	(void)arg;
	thrd_sleep(&pause, NULL);
	mtx_lock(&lock);
	finished = 1;
	cnd_signal(&done);
	mtx_unlock(&lock);
	return 0;
}

int main(void)
{
	thrd_t t;
	struct timespec until;

	mtx_init(&lock, mtx_timed);
	cnd_init(&done);
	thrd_create(&t, worker, NULL);
	timespec_get(&until, TIME_UTC);
	until.tv_sec += 3;
	int got = mtx_timedlock(&lock, &until);
	assert(got == thrd_success || got == thrd_timedout);
	if (got == thrd_success) {
		int waited = thrd_success;

		while (!finished && waited == thrd_success)
			waited = cnd_timedwait(&done, &lock, &until);
		assert(finished || waited == thrd_timedout);
		mtx_unlock(&lock);
	}
	thrd_join(t, NULL);
	got = mtx_trylock(&lock);
	assert(got == thrd_success && finished);
	mtx_unlock(&lock);
	return 0;
}
