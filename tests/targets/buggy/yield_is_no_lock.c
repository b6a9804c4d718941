/*
 * Bug: both threads claim the slot.
 * Cause: sched_yield between looking and claiming was meant to be polite; it protects nothing.
 * expect: assert
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int claimed, winners;

static void *claim(void *arg)
{
	if (!atomic_load(&claimed)) {
		sched_yield();
		atomic_store(&claimed, 1);
		atomic_fetch_add(&winners, 1);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, claim, NULL);
	pthread_create(&b, NULL, claim, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(atomic_load(&winners) == 1);
	return 0;
}
