/* nondet: futex calls in machine code of its own, which nobody can interpose. */
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>

#include "check.h"

#define THREADS 3

static volatile int word;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static long futex(volatile int *at, long op, long value)
{
	long result;
	register long limit __asm__("r10") = 0;
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(SYS_futex), "D"(at), "S"(op), "d"(value), "r"(limit)
			 : "rcx", "r11", "memory");
	return result;
}

static void *waits(void *unused)
{
	(void)unused;
	while (!word)
		futex(&word, FUTEX_WAIT_PRIVATE, 0);
	pthread_mutex_lock(&mutex);
	count++;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		EXPECT(pthread_create(&threads[i], NULL, waits, NULL) == 0);
	for (int i = 0; i < 20; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
	word = 1;
	futex(&word, FUTEX_WAKE_PRIVATE, THREADS);
	for (int i = 0; i < THREADS; i++)
		EXPECT(pthread_join(threads[i], NULL) == 0);
	EXPECT(count == THREADS);
	return 0;
}
