/* Barriers and spin locks. */
#include <errno.h>
#include <pthread.h>

#include "check.h"

static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static int arrived, serial, counter;

static void *meet(void *arg)
{
	for (int round = 1; round <= 3; round++) {
		__atomic_fetch_add(&arrived, 1, __ATOMIC_SEQ_CST);
		int result = pthread_barrier_wait(&barrier);

		CHECK(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
		CHECK(__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) >= 3 * round);
		if (result)
			__atomic_fetch_add(&serial, 1, __ATOMIC_SEQ_CST);
		pthread_barrier_wait(&barrier);
		CHECK(__atomic_load_n(&serial, __ATOMIC_SEQ_CST) == round);
		pthread_barrier_wait(&barrier);
	}
	return arg;
}

static void *count(void *arg)
{
	for (int i = 0; i < 4; i++) {
		CHECK(pthread_spin_lock(&spin) == 0);
		counter++;
		CHECK(pthread_spin_unlock(&spin) == 0);
	}
	return arg;
}

static void run3(void *(*routine)(void *))
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		CHECK(pthread_create(&t[i], NULL, routine, NULL) == 0);
	for (int i = 0; i < 3; i++)
		CHECK(pthread_join(t[i], NULL) == 0);
}

static void *try_spin(void *arg)
{
	return (void *)(long)pthread_spin_trylock(&spin);
}

int main(void)
{
	pthread_t t;
	void *result;

	CHECK(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
	CHECK(pthread_barrier_init(&barrier, NULL, 1) == 0);
	CHECK(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
	CHECK(pthread_barrier_destroy(&barrier) == 0);
	CHECK(pthread_barrier_init(&barrier, NULL, 3) == 0);
	run3(meet);
	CHECK(arrived == 9 && serial == 3);
	CHECK(pthread_barrier_destroy(&barrier) == 0);

	CHECK(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE) == 0);
	CHECK(pthread_spin_lock(&spin) == 0);
	CHECK(pthread_spin_trylock(&spin) == EBUSY);
	CHECK(pthread_create(&t, NULL, try_spin, NULL) == 0);
	CHECK(pthread_join(t, &result) == 0 && (long)result == EBUSY);
	CHECK(pthread_spin_unlock(&spin) == 0);
	CHECK(pthread_spin_trylock(&spin) == 0);
	CHECK(pthread_spin_unlock(&spin) == 0);
	run3(count);
	CHECK(counter == 12);
	CHECK(pthread_spin_destroy(&spin) == 0);
	SUCCESS();
	return 0;
}
