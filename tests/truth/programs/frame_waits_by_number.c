/*
 * A thread waits by a system call in a deeper frame than its last library call was made from: that
 * frame has not returned.
 *
 * expect: 0
 * drawn
 */
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

struct waiter {
	atomic_int state;
	int payload[64];
};

static _Atomic(struct waiter *) waiting;

__attribute__((noinline)) static void waits(void)
{
	struct waiter self = {.payload = {[5] = 7}};

	atomic_store(&waiting, &self);
	while (atomic_load(&self.state) == 0)
		syscall(SYS_futex, &self.state, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

static void *thread(void *arg)
{
	pthread_setname_np(pthread_self(), "waits");
	waits();
	return arg;
}

int main(void)
{
	struct waiter *w;
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	while (!(w = atomic_load(&waiting)))
		;
	assert(w->payload[5] == 7);
	atomic_store(&w->state, 1);
	syscall(SYS_futex, &w->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	pthread_join(t, NULL);
	return 0;
}
