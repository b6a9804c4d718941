/*
 * The C11 interface: threads, mutexes, condition variables, call_once, thread-specific storage.
 * expect: clean
 */
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t slot;
static thread_local int mine;
static int setups, turn;

static void setup(void)
{
	setups++;
}

static int worker(void *arg)
{
	int me = *(int *)arg;

	call_once(&once, setup);
	tss_set(slot, arg);
	mine = me;
	mtx_lock(&lock);
	while (turn != me)
		cnd_wait(&changed, &lock);
	turn++;
	cnd_broadcast(&changed);
	mtx_unlock(&lock);
	thrd_yield();
	assert(tss_get(slot) == arg && mine == me && setups == 1);
	return me + 10;
}

int main(void)
{
	static int numbers[2] = {0, 1};
	thrd_t t[2];
	int result;

	assert(mtx_init(&lock, mtx_plain) == thrd_success);
	assert(cnd_init(&changed) == thrd_success);
	assert(tss_create(&slot, NULL) == thrd_success);
	for (int i = 0; i < 2; i++)
		assert(thrd_create(&t[i], worker, &numbers[i]) == thrd_success);
	for (int i = 0; i < 2; i++) {
		assert(thrd_join(t[i], &result) == thrd_success);
		assert(result == i + 10);
	}
	assert(turn == 2 && mine == 0);
	cnd_destroy(&changed);
	mtx_destroy(&lock);
	return 0;
}
