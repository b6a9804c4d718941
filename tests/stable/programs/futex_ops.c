/* atomics: locks and conditions that a program builds on futexes itself: wait, wake, requeue, bit
 * sets, limits; one shared with another process. */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static long futex(uint32_t *word, int op, uint32_t value, long fourth, uint32_t *other,
		  uint32_t bits)
{
	return syscall(SYS_futex, word, op, value, fourth, other, bits);
}

/* 0 free, 1 taken, 2 taken and waited for. */
static void lock(uint32_t *word)
{
	uint32_t seen = 0;
	if (__atomic_compare_exchange_n(word, &seen, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		return;
	while (__atomic_exchange_n(word, 2, __ATOMIC_SEQ_CST) != 0)
		futex(word, FUTEX_WAIT_PRIVATE, 2, 0, NULL, 0);
}

static void unlock(uint32_t *word)
{
	if (__atomic_exchange_n(word, 0, __ATOMIC_SEQ_CST) == 2)
		futex(word, FUTEX_WAKE_PRIVATE, 1, 0, NULL, 0);
}

static uint32_t mutex, event, order[64], count;
static uint32_t *shared;

static void *locks(void *number)
{
	for (int i = 0; i < 16; i++) {
		lock(&mutex);
		order[count++] = (uint32_t)(intptr_t)number;
		unlock(&mutex);
		sched_yield();
	}
	return NULL;
}

/* Waits for the event, then for a word to which it is moved. */
static void *waits(void *number)
{
	uint32_t bits = 1u << (intptr_t)number;
	while (__atomic_load_n(&event, __ATOMIC_SEQ_CST) == 0)
		futex(&event, FUTEX_WAIT_BITSET_PRIVATE, 0, 0, NULL, bits | 8);
	lock(&mutex);
	order[count++] = (uint32_t)(intptr_t)number;
	unlock(&mutex);
	return NULL;
}

static void run(void *(*start)(void *), int threads, void (*meanwhile)(void))
{
	pthread_t t[4];
	count = 0;
	for (intptr_t i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, start, (void *)i);
	if (meanwhile)
		meanwhile();
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
}

static void tell(void)
{
	static uint32_t elsewhere;
	usleep(1000);
	/* Nobody waits with this bit; two are moved, and woken where they are now. */
	EXPECT(futex(&event, FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, 0, NULL, 16) == 0);
	EXPECT(futex(&event, FUTEX_CMP_REQUEUE_PRIVATE, 0, INT_MAX, &elsewhere, 1) == -1);
	EXPECT(errno == EAGAIN);
	long moved = futex(&event, FUTEX_CMP_REQUEUE_PRIVATE, 0, 2, &elsewhere, 0);
	__atomic_store_n(&event, 1, __ATOMIC_SEQ_CST);
	EXPECT(futex(&elsewhere, FUTEX_WAKE_PRIVATE, INT_MAX, 0, NULL, 0) == moved);
	futex(&event, FUTEX_WAKE_PRIVATE, INT_MAX, 0, NULL, 0);
}

static void limits(void)
{
	uint32_t word;
	__atomic_store_n(&word, 0, __ATOMIC_RELAXED);
	struct timespec length = {0, 2000000};
	EXPECT(futex(&word, FUTEX_WAIT_PRIVATE, 1, 0, NULL, 0) == -1 && errno == EAGAIN);
	EXPECT(futex(&word, FUTEX_WAIT_PRIVATE, 0, (long)&length, NULL, 0) == -1);
	EXPECT(errno == ETIMEDOUT);
	clock_gettime(CLOCK_MONOTONIC, &length);
	EXPECT(futex(&word, FUTEX_WAIT_BITSET_PRIVATE, 0, (long)&length, NULL, 1) == -1);
	EXPECT(errno == ETIMEDOUT);
	EXPECT(syscall(SYS_getpid) == getpid() && syscall(SYS_close, -1) == -1 && errno == EBADF);
}

static void *asks(void *unused)
{
	(void)unused;
	while (__atomic_load_n(shared, __ATOMIC_SEQ_CST) == 0)
		futex(shared, FUTEX_WAIT, 0, 0, NULL, 0);
	return NULL;
}

static void other_process(void)
{
	pid_t pid = fork();
	if (pid == 0) {
		usleep(10000);
		__atomic_store_n(shared, 1, __ATOMIC_SEQ_CST);
		futex(shared, FUTEX_WAKE, INT_MAX, 0, NULL, 0);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

int main(int argc, char **argv)
{
	(void)argv;
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	run(locks, 4, NULL);
	EXPECT(count == 64);
	for (uint32_t i = 0; i < count; i++)
		printf("%u", order[i]);
	run(waits, 3, tell);
	EXPECT(count == 3);
	limits();
	if (argc > 1)
		run(asks, 2, other_process);
	puts("");
	return 0;
}
