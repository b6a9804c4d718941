#include "rt/hook/random.h"

#include <errno.h>
#include <string.h>

#include "rt/hook/call.h"
#include "rt/mem/undo.h"
#include "rt/os/real.h"
#include "rt/rec/rec.h"

/* glibc's random() has 31 words of state by default and starts from seed 1. */
#define LIBC_STATE_BYTES 128

static RT_RUN uint64_t stream;
static RT_RUN struct random_data libc_random;
static RT_RUN char libc_state[LIBC_STATE_BYTES];
static RT_RUN struct drand48_data libc_drand48;
/* The program gave random() a state of its own: then the C library keeps it. */
static RT_RUN int own_state;

void random_begin(void)
{
	/*
	 * The host replays with the seed of the run in the job, so the result's seed (job seed plus
	 * number of the run) is the one that names the run everywhere.
	 */
	stream = rt_ctl->result.seed ^ UINT64_C(0x5eed0fda7a5eed00);
	memset(&libc_random, 0, sizeof(libc_random));
	memset(&libc_drand48, 0, sizeof(libc_drand48));
	own_state = 0;
}

/* SplitMix64: any seed is as good as any other, and the state is one word. */
static uint64_t next_word(void)
{
	uint64_t z = stream += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

ssize_t random_fill(void *to, size_t n)
{
	char *at = to;

	undo_touch(to, n);
	for (size_t left = n; left > 0;) {
		uint64_t word = next_word();
		size_t take = left < sizeof(word) ? left : sizeof(word);

		memcpy(at, &word, take);
		at += take;
		left -= take;
	}
	rec_event(EVENT_RANDOM, sched_take_site(), (uintptr_t)to, n, 0);
	return (ssize_t)n;
}

RT_EXPORT ssize_t getrandom(void *to, size_t n, unsigned int flags)
{
	return rt_controlled() ? random_fill(to, n) : REAL(getrandom)(to, n, flags);
}

RT_EXPORT int getentropy(void *to, size_t n)
{
	if (!rt_controlled())
		return REAL(getentropy)(to, n);
	if (n > 256) {
		errno = EIO;
		return -1;
	}
	random_fill(to, n);
	return 0;
}

static uint32_t random_u32(void)
{
	uint32_t value;

	random_fill(&value, sizeof(value));
	return value;
}

RT_EXPORT uint32_t arc4random(void)
{
	return rt_controlled() ? random_u32() : REAL(arc4random)();
}

RT_EXPORT void arc4random_buf(void *to, size_t n)
{
	if (rt_controlled())
		random_fill(to, n);
	else
		REAL(arc4random_buf)(to, n);
}

RT_EXPORT uint32_t arc4random_uniform(uint32_t bound)
{
	if (!rt_controlled())
		return REAL(arc4random_uniform)(bound);
	/* The high half of a 32 by 32 product is in range; its bias is below 2^-32 per value. */
	return (uint32_t)(((uint64_t)random_u32() * bound) >> 32);
}

RT_EXPORT unsigned int _ZNSt13random_device9_M_getvalEv(void *device)
{
	uint32_t value = 0;

	if (rt_controlled())
		return random_u32();
	if (REAL(_ZNSt13random_device9_M_getvalEv))
		return real__ZNSt13random_device9_M_getvalEv(device);
	REAL(getentropy)(&value, sizeof(value));
	return value;
}

/* Filling the state takes longer than many a run: only for programs that use it. */
static struct random_data *libc_generator(void)
{
	if (!libc_random.state)
		initstate_r(1, libc_state, sizeof(libc_state), &libc_random);
	return &libc_random;
}

/*
 * rand() and friends are deterministic, but keep their state inside the C library, where the reset
 * engine would have to copy everything back.  The same generators over state of our own.
 */
RT_EXPORT long random(void)
{
	int32_t value;

	if (!rt_controlled())
		return REAL(random)();
	if (own_state) {
		undo_opaque();
		return REAL(random)();
	}
	random_r(libc_generator(), &value);
	return value;
}

RT_EXPORT int rand(void)
{
	return rt_controlled() ? (int)random() : REAL(rand)();
}

RT_EXPORT void srandom(unsigned int seed)
{
	if (rt_controlled() && !own_state) {
		srandom_r(seed, libc_generator());
		return;
	}
	undo_opaque();
	REAL(srandom)(seed);
}

RT_EXPORT void srand(unsigned int seed)
{
	srandom(seed);
}

static void leave_state_to_libc(void)
{
	if (!rt_controlled())
		return;
	own_state = 1;
	undo_opaque();
}

RT_EXPORT char *initstate(unsigned int seed, char *state, size_t n)
{
	leave_state_to_libc();
	return REAL(initstate)(seed, state, n);
}

RT_EXPORT char *setstate(char *state)
{
	leave_state_to_libc();
	return REAL(setstate)(state);
}

RT_EXPORT double drand48(void)
{
	double value;

	if (!rt_controlled())
		return REAL(drand48)();
	drand48_r(&libc_drand48, &value);
	return value;
}

RT_EXPORT long lrand48(void)
{
	long value;

	if (!rt_controlled())
		return REAL(lrand48)();
	lrand48_r(&libc_drand48, &value);
	return value;
}

RT_EXPORT long mrand48(void)
{
	long value;

	if (!rt_controlled())
		return REAL(mrand48)();
	mrand48_r(&libc_drand48, &value);
	return value;
}

RT_EXPORT void srand48(long seed)
{
	if (rt_controlled())
		srand48_r(seed, &libc_drand48);
	else
		REAL(srand48)(seed);
}
