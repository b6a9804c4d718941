/*
 * expect: 0
 *
 * Compare and swap in its usual clothes: sete into a register, a flag output, a register pair.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static long word = 5;
static long pair[2] __attribute__((aligned(16))) = {1, 2};
static int wins;

static bool cas_sete(long *p, long old, long new)
{
	unsigned char done;

	__asm__ __volatile__("lock; cmpxchgq %3, %1; sete %0"
			     : "=q"(done), "+m"(*p), "+a"(old)
			     : "r"(new)
			     : "memory", "cc");
	return done;
}

static bool cas_flag(long *p, long old, long new)
{
	bool done;

	__asm__ __volatile__("lock cmpxchg %[new], %[mem]"
			     : [mem] "+m"(*p), "+a"(old), "=@ccz"(done)
			     : [new] "r"(new)
			     : "memory");
	return done;
}

static bool cas_pair(long *p, const long *old, const long *new)
{
	long a = old[0], d = old[1];
	bool done;

	__asm__ __volatile__("lock; cmpxchg16b (%4); setz %0"
			     : "=q"(done), "+a"(a), "+d"(d)
			     : "b"(new[0]), "r"(p), "c"(new[1])
			     : "memory", "cc");
	return done;
}

static void *thread(void *arg)
{
	if (cas_sete(&word, 5, 6))
		__atomic_fetch_add(&wins, 1, __ATOMIC_SEQ_CST);
	return arg;
}

int main(void)
{
	long old[2] = {1, 2}, wrong[2] = {1, 3}, new[2] = {7, 8};
	pthread_t t;

	assert(!cas_pair(pair, wrong, new) && cas_pair(pair, old, new));
	assert(pair[0] == 7 && pair[1] == 8);
	pthread_create(&t, NULL, thread, NULL);
	if (cas_flag(&word, 5, 6))
		__atomic_fetch_add(&wins, 1, __ATOMIC_SEQ_CST);
	pthread_join(t, NULL);
	assert(wins == 1 && word == 6);
	return 0;
}
