/* det: C11 threads, mutexes, condition variables, once. */
#include <threads.h>
#include <time.h>

#include "check.h"

static mtx_t mu;
static cnd_t cv;
static once_flag flag = ONCE_FLAG_INIT;
static int ready, count, inits;

static void init(void)
{
	inits++;
}

static int work(void *n)
{
	call_once(&flag, init);
	mtx_lock(&mu);
	while (!ready)
		cnd_wait(&cv, &mu);
	count++;
	mtx_unlock(&mu);
	return *(int *)n * -1;
}

int main(void)
{
	thrd_t t[3];
	int n[3] = {1, 2, 3}, result;
	struct timespec limit;
	EXPECT(mtx_init(&mu, mtx_timed) == thrd_success && cnd_init(&cv) == thrd_success);
	for (int i = 0; i < 3; i++)
		EXPECT(thrd_create(&t[i], work, &n[i]) == thrd_success);
	mtx_lock(&mu);
	timespec_get(&limit, TIME_UTC);
	EXPECT(cnd_timedwait(&cv, &mu, &limit) == thrd_timedout);
	EXPECT(mtx_trylock(&mu) == thrd_busy);
	ready = 1;
	cnd_broadcast(&cv);
	mtx_unlock(&mu);
	for (int i = 0; i < 3; i++)
		EXPECT(thrd_join(t[i], &result) == thrd_success && result == -n[i]);
	EXPECT(count == 3 && inits == 1);
	return 0;
}
