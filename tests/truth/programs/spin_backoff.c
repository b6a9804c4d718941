/*
 * Waits that take longer each time, as programs do: with a pause, a yield, a sleep, in a function of
 * their own.  How long they took is no difference.
 *
 * expect: 0
 * match: all 6 behaviours
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int held;
static int count;

static void relax(unsigned turns)
{
	for (unsigned i = 0; i < turns; i++)
		__asm__ volatile("pause" ::: "memory");
}

static void lock_pausing(void)
{
	unsigned turns = 1;

	while (atomic_exchange(&held, 1)) {
		relax(turns);
		if (turns < 1024)
			turns *= 2;
	}
}

static void lock_yielding(void)
{
	int failures = 0;

	for (;;) {
		int free = 0;

		if (atomic_compare_exchange_strong(&held, &free, 1))
			return;
		if (++failures > 10) {
			sched_yield();
			failures = 0;
		}
	}
}

static void lock_sleeping(void)
{
	unsigned time = 1;

	for (;; time = time < 100 ? time + time / 2 + 1 : 100) {
		while (atomic_load(&held))
			usleep(time);
		if (!atomic_exchange(&held, 1))
			return;
	}
}

static void *worker(void *lock)
{
	((void (*)(void))lock)();
	count++;
	atomic_store(&held, 0);
	return NULL;
}

int main(void)
{
	void (*const locks[])(void) = {lock_pausing, lock_yielding, lock_sleeping};
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, worker, (void *)locks[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	assert(count == 3);
	return 0;
}
