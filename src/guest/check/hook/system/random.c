#include "guest/check/hook/system/random.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "guest/check/hook/call.h"
#include "guest/check/hook/system/feed.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/os/sys.h"
#include "guest/check/rec/hidden.h"
#include "guest/check/rec/rec.h"

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

/* Generators are state that threads share: who asks first gets the first number. */
enum generator { GENERATOR_STREAM, GENERATOR_RANDOM, GENERATOR_RAND48 };

static void use(enum generator which, uint64_t operation, bool observed)
{
	struct rt_op op = call_op(EVENT_RANDOM, NULL, NULL);
	uint64_t cell = hidden_cell(HIDDEN_RANDOM, which), *state, from;

	sched_step(&op);
	rec_event(EVENT_RANDOM, op.site, 0, 0, 0);
	state = hidden_state(cell);
	from = *state;
	undo_touch(state, sizeof(*state));
	*state = hidden_mix(from, operation);
	hidden_update(cell, from, *state, observed, op.site);
}

static void draw(enum generator which)
{
	use(which, 1, true);
}

static void seed_with(enum generator which, uint64_t seed)
{
	use(which, hidden_mix(2, seed), false);
}

ssize_t random_fill(void *to, size_t n)
{
	char *at = to;

	draw(GENERATOR_STREAM);

	undo_touch(to, n);
	for (size_t left = n; left > 0;) {
		uint64_t word = next_word();
		size_t take = left < sizeof(word) ? left : sizeof(word);

		memcpy(at, &word, take);
		at += take;
		left -= take;
	}
	return (ssize_t)n;
}

RT_EXPORT ssize_t getrandom(void *to, size_t n, unsigned int flags)
{
	ssize_t got;

	if (!rt_controlled())
		return REAL(getrandom)(to, n, flags);
	if (feed_get(RECORD_IN_GETRANDOM, -1, &(struct iovec){to, n}, 1, &got))
		return got;
	return random_fill(to, n);
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
	draw(GENERATOR_RANDOM);
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
	if (rt_controlled())
		seed_with(GENERATOR_RANDOM, seed);
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
	seed_with(GENERATOR_RANDOM, 0);
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
	draw(GENERATOR_RAND48);
	drand48_r(&libc_drand48, &value);
	return value;
}

RT_EXPORT long lrand48(void)
{
	long value;

	if (!rt_controlled())
		return REAL(lrand48)();
	draw(GENERATOR_RAND48);
	lrand48_r(&libc_drand48, &value);
	return value;
}

RT_EXPORT long mrand48(void)
{
	long value;

	if (!rt_controlled())
		return REAL(mrand48)();
	draw(GENERATOR_RAND48);
	mrand48_r(&libc_drand48, &value);
	return value;
}

RT_EXPORT void srand48(long seed)
{
	if (!rt_controlled()) {
		REAL(srand48)(seed);
		return;
	}
	seed_with(GENERATOR_RAND48, (uint64_t)seed);
	srand48_r(seed, &libc_drand48);
}

/* ---- names of temporary files ---- */

/*
 * The C library draws them, too; under control they are the same in every run, as long as no file has
 * them, because the program sees them.
 */
#define LETTERS 6
#define TRIES 65536

static RT_RUN uint32_t names; /* given out in this run */

/* The part of a template that is to be filled in, NULL when it has none. */
static char *free_part(char *name)
{
	size_t n = strlen(name);

	return n >= LETTERS && strcmp(name + n - LETTERS, "XXXXXX") == 0 ? name + n - LETTERS : NULL;
}

static void fill_in(char *part, uint32_t number)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz";

	for (int i = LETTERS; i-- > 0; number /= sizeof(letters) - 1)
		part[i] = letters[number % (sizeof(letters) - 1)];
}

static long make_file(const char *name)
{
	return sys_call(SYS_openat, AT_FDCWD, (long)name, O_RDWR | O_CREAT | O_EXCL, 0600, 0, 0);
}

static long make_directory(const char *name)
{
	return sys_call(SYS_mkdirat, AT_FDCWD, (long)name, 0700, 0, 0, 0);
}

/* What make() answers for the first name that is free; errno when it fails. */
static long make_new(char *name, long (*make)(const char *name))
{
	char *part = free_part(name);
	long made = part ? -EEXIST : -EINVAL;

	/* Before it is made: a run that is broken off here would leave it behind. */
	rt_irreversible("a temporary file");
	for (int i = 0; i < TRIES && made == -EEXIST; i++) {
		fill_in(part, names++);
		made = make(name);
	}
	if (made >= 0)
		return made;
	errno = (int)-made;
	return -1;
}

RT_EXPORT int mkstemp(char *name)
{
	return rt_controlled() ? (int)make_new(name, make_file) : REAL(mkstemp)(name);
}

RT_EXPORT int mkstemp64(char *name)
{
	return mkstemp(name);
}

RT_EXPORT char *mkdtemp(char *name)
{
	if (!rt_controlled())
		return REAL(mkdtemp)(name);
	return make_new(name, make_directory) == 0 ? name : NULL;
}
