/* Futexes by system call number: a mutex and a gate made of them. */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static uint32_t lock_word, gate;
static int counter;

static long futex(uint32_t *word, int operation, uint32_t value, const struct timespec *t)
{
	return syscall(SYS_futex, word, operation, value, t, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void lock(void)
{
	uint32_t zero = 0;

	if (__atomic_compare_exchange_n(&lock_word, &zero, 1, 0, __ATOMIC_SEQ_CST,
					__ATOMIC_SEQ_CST))
		return;
	while (__atomic_exchange_n(&lock_word, 2, __ATOMIC_SEQ_CST) != 0)
		futex(&lock_word, FUTEX_WAIT_PRIVATE, 2, NULL);
}

static void unlock(void)
{
	if (__atomic_exchange_n(&lock_word, 0, __ATOMIC_SEQ_CST) == 2)
		futex(&lock_word, FUTEX_WAKE_PRIVATE, 1, NULL);
}

static void *work(void *arg)
{
	while (__atomic_load_n(&gate, __ATOMIC_SEQ_CST) == 0)
		futex(&gate, FUTEX_WAIT_BITSET, 0, NULL);
	for (int i = 0; i < 3; i++) {
		lock();
		counter++;
		unlock();
	}
	return arg;
}

int main(void)
{
	struct timespec t = {0, 1000000};
	pthread_t threads[3];

	CHECK(futex(&gate, FUTEX_WAIT, 1, NULL) == -1 && errno == EAGAIN);
	CHECK(futex(&gate, FUTEX_WAIT, 0, &t) == -1 && errno == ETIMEDOUT);
	CHECK(futex(&gate, FUTEX_WAKE, 1, NULL) == 0);
	for (int i = 0; i < 3; i++)
		CHECK(pthread_create(&threads[i], NULL, work, NULL) == 0);
	__atomic_store_n(&gate, 1, __ATOMIC_SEQ_CST);
	futex(&gate, FUTEX_WAKE_BITSET, 1000, NULL);
	for (int i = 0; i < 3; i++)
		CHECK(pthread_join(threads[i], NULL) == 0);
	CHECK(counter == 9);
	CHECK(syscall(SYS_gettid) == gettid());
	SUCCESS();
	return 0;
}
