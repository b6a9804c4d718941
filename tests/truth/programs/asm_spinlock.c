/*
 * expect: 0
 *
 * A spin lock on xchg, with pause in the loop and a store to release it: correct, and it ends.
 */
#include <assert.h>
#include <pthread.h>

static volatile int locked;
static int value;

static void lock(void)
{
	for (;;) {
		int one = 1;

		__asm__ __volatile__("xchgl %0, %1" : "+r"(one), "+m"(locked) : : "memory");
		if (!one)
			return;
		__asm__ __volatile__("pause");
	}
}

static void unlock(void)
{
	__asm__ __volatile__("movl $0, %0" : "=m"(locked) : : "memory");
}

static void *thread(void *arg)
{
	lock();
	value++;
	unlock();
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	thread(NULL);
	pthread_join(t, NULL);
	assert(value == 2);
	return 0;
}
