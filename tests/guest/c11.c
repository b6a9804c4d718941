/* C11 threads. */
#include <errno.h>
#include <threads.h>
#include <time.h>

#include "check.h"

static mtx_t mutex, timed;
static cnd_t cond;
static tss_t key;
static once_flag flag = ONCE_FLAG_INIT;
static int ready, made, freed;

static void make(void)
{
	made++;
}

static void drop(void *value)
{
	__atomic_fetch_add(&freed, (int)(long)value, __ATOMIC_SEQ_CST);
}

static int worker(void *arg)
{
	call_once(&flag, make);
	CHECK(tss_set(key, (void *)2) == thrd_success);
	CHECK(tss_get(key) == (void *)2);
	CHECK(mtx_lock(&mutex) == thrd_success);
	while (!ready)
		CHECK(cnd_wait(&cond, &mutex) == thrd_success);
	CHECK(mtx_unlock(&mutex) == thrd_success);
	if (arg)
		thrd_exit(-7);
	return -8;
}

static int try_timed(void *arg)
{
	struct timespec t;

	CHECK(mtx_trylock(&timed) == thrd_busy);
	timespec_get(&t, TIME_UTC);
	return mtx_timedlock(&timed, &t);
}

int main(void)
{
	struct timespec t = {0, 1000};
	thrd_t a, b;
	int result;

	CHECK(mtx_init(&mutex, mtx_plain) == thrd_success);
	CHECK(mtx_init(&timed, mtx_timed | mtx_recursive) == thrd_success);
	CHECK(cnd_init(&cond) == thrd_success);
	CHECK(tss_create(&key, drop) == thrd_success);
	CHECK(thrd_create(&a, worker, NULL) == thrd_success);
	CHECK(thrd_create(&b, worker, &a) == thrd_success);
	CHECK(mtx_lock(&mutex) == thrd_success);
	ready = 1;
	CHECK(cnd_broadcast(&cond) == thrd_success);
	CHECK(mtx_unlock(&mutex) == thrd_success);
	CHECK(thrd_join(a, &result) == thrd_success && result == -8);
	CHECK(thrd_join(b, &result) == thrd_success && result == -7);
	CHECK(made == 1 && freed == 4);

	CHECK(mtx_lock(&timed) == thrd_success && mtx_lock(&timed) == thrd_success);
	CHECK(thrd_create(&a, try_timed, NULL) == thrd_success);
	CHECK(thrd_join(a, &result) == thrd_success && result == thrd_timedout);
	CHECK(mtx_unlock(&timed) == thrd_success && mtx_unlock(&timed) == thrd_success);

	CHECK(mtx_lock(&mutex) == thrd_success);
	timespec_get(&t, TIME_UTC);
	CHECK(cnd_timedwait(&cond, &mutex, &t) == thrd_timedout);
	CHECK(cnd_signal(&cond) == thrd_success);
	CHECK(mtx_unlock(&mutex) == thrd_success);
	t = (struct timespec){0, 1000};
	CHECK(thrd_sleep(&t, NULL) == 0);
	thrd_yield();
	CHECK(thrd_equal(thrd_current(), thrd_current()));
	tss_delete(key);
	mtx_destroy(&mutex);
	mtx_destroy(&timed);
	cnd_destroy(&cond);
	SUCCESS();
	return 0;
}
