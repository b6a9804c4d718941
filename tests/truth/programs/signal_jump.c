/*
 * Main jumps out of a handler; what it and its threads do afterwards is still under control.
 *
 * expect: 1
 * match: assertion failed
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>

static sigjmp_buf back;
static atomic_int x;

static void leave(int number)
{
	siglongjmp(back, 1);
}

static void *thread(void *arg)
{
	int seen = atomic_load(&x);

	atomic_store(&x, seen + 1);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	signal(SIGUSR1, leave);
	if (!sigsetjmp(back, 1))
		raise(SIGUSR1);
	pthread_create(&t, NULL, thread, NULL);
	pthread_create(&u, NULL, thread, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	assert(atomic_load(&x) == 2);
	return 0;
}
