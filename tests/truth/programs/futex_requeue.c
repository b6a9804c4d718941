/*
 * Futex operations that are not modelled do not just fail.
 *
 * expect: 4
 * match: futex operation
 */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int first, second;

static void *thread(void *arg)
{
	assert(syscall(SYS_futex, &first, FUTEX_CMP_REQUEUE, 1, 1, &second, 0) == 0);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, 0, thread, 0);
	pthread_join(t, 0);
	return 0;
}
