#include "guest/check/engine/reset.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "guest/check/engine/engine.h"
#include "guest/check/engine/files.h"
#include "guest/check/engine/filter.h"
#include "guest/check/mem/heap.h"
#include "guest/check/mem/layout.h"
#include "guest/check/mem/undo.h"
#include "guest/check/rec/rec.h"
#include "guest/os/real.h"
#include "guest/os/sys.h"

#define MAX_REGIONS 512
#define PAGE 4096
#define MAPS_BYTES (256 * 1024)

/* This library's own image, from the linker. */
extern char __ehdr_start[] __attribute__((visibility("hidden")));
extern char _end[] __attribute__((visibility("hidden")));
/* All RT_RUN variables. */
extern char __start_rt_run[] __attribute__((visibility("hidden")));
extern char __stop_rt_run[] __attribute__((visibility("hidden")));

struct region {
	uint64_t begin, bytes, copy;
};

static struct region regions[MAX_REGIONS];
static uint32_t region_count;
static char run_state[16 * 1024];
static char maps_text[MAPS_BYTES];
static int snapshot_errno;
static bool leaks; /* the undo log is not all there is to undo */
static uint32_t runs;
static uint64_t snapshot_mask; /* of signals, as the kernel keeps it */

/* The spawner makes threads on behalf of the filtered main thread. */
static uint32_t spawner_request, spawner_answer;

static void *exit_at_once(void *arg)
{
	real_pthread_exit(arg);
	return NULL;
}

/* A thread of our own on a stack that no snapshot copies. */
static int make_helper(uint32_t index, void *(*start)(void *), pthread_t *thread)
{
	uint64_t stack = LAYOUT_HELPERS + index * LAYOUT_HELPER_BYTES;
	pthread_attr_t attr;

	if (sys_map_fixed(stack, LAYOUT_HELPER_BYTES, PROT_READ | PROT_WRITE) < 0)
		return -1;
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, (void *)stack, LAYOUT_HELPER_BYTES);
	return real_pthread_create(thread, &attr, start, NULL) ? -1 : 0;
}

void reset_warm_up(void)
{
	pthread_t t;

	if (make_helper(0, exit_at_once, &t) == 0)
		real_pthread_join(t, NULL);
}

/* ---- which memory ---- */

static const char *parse_hex(const char *at, uint64_t *value)
{
	*value = 0;
	for (;; at++) {
		int digit = *at >= '0' && *at <= '9'   ? *at - '0'
			    : *at >= 'a' && *at <= 'f' ? *at - 'a' + 10
						       : -1;

		if (digit < 0)
			return at;
		*value = *value * 16 + (uint64_t)digit;
	}
}

static bool is_ours(uint64_t begin, uint64_t end)
{
	return (begin >= LAYOUT_HEAP && begin < LAYOUT_END) ||
	       begin - WIRE_CTL_ADDR < rt_ctl->bytes ||
	       (begin < (uint64_t)_end && end > (uint64_t)__ehdr_start);
}

static int add_region(uint64_t begin, uint64_t end)
{
	uint64_t main_low = engine_slots[0].stack_low, main_high = engine_slots[0].entry_sp;

	if (is_ours(begin, end))
		return 0;
	/* Main's stack: what lies below the snapshot is dead after a run. */
	if (begin < main_high && end > main_high && end > main_low)
		begin = main_high;
	if (region_count == MAX_REGIONS)
		return -1;
	regions[region_count++] = (struct region){begin, end - begin, 0};
	return 0;
}

static long read_maps(void)
{
	int fd = sys_open_read("/proc/self/maps");
	long total = 0, got;

	if (fd < 0)
		return fd;
	while ((got = sys_read(fd, maps_text + total, (size_t)(MAPS_BYTES - 1 - total))) > 0)
		total += got;
	sys_close(fd);
	maps_text[total] = 0;
	return total == MAPS_BYTES - 1 ? -1 : total;
}

/* Lines are "begin-end rwxp …": private and writable ones are kept. */
static int find_regions(void)
{
	const char *at = maps_text;

	region_count = 0;
	if (read_maps() < 0)
		return -1;
	while (*at) {
		uint64_t begin, end;

		at = parse_hex(at, &begin) + 1;
		at = parse_hex(at, &end) + 1;
		if (at[0] == 'r' && at[1] == 'w' && at[3] == 'p' && add_region(begin, end) < 0)
			return -1;
		while (*at && *at++ != '\n')
			;
	}
	return 0;
}

static int take_snapshot(void)
{
	uint64_t to = LAYOUT_SNAPSHOT;

	if (find_regions() < 0)
		return -1;
	for (uint32_t i = 0; i < region_count; i++) {
		if (to + regions[i].bytes > LAYOUT_SNAPSHOT + LAYOUT_SNAPSHOT_BYTES)
			return -1;
		regions[i].copy = to;
		memcpy((void *)to, (void *)regions[i].begin, regions[i].bytes);
		to += regions[i].bytes;
	}
	memcpy(run_state, __start_rt_run, (size_t)(__stop_rt_run - __start_rt_run));
	snapshot_errno = errno;
	sys_call(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)&snapshot_mask, sizeof(snapshot_mask), 0,
		 0);
	return 0;
}

/*
 * Whether a library keeps an address of the program's heap, which begins anew, beyond the run: the
 * next one would free what is not there.
 */
static bool keeps_block(const uint64_t *now, const uint64_t *then, uint64_t words)
{
	for (uint64_t i = 0; i < words; i++)
		if (now[i] != then[i] && heap_owns((const void *)now[i]))
			return true;
	return false;
}

/*
 * Few pages differ after a run; comparing reads twice, copying would write as well.  True when
 * memory of the program differed, or what a library keeps of it.
 */
static bool copy_back_region(const struct region *r)
{
	bool differed = false;

	for (uint64_t at = 0; at < r->bytes; at += PAGE) {
		uint64_t n = r->bytes - at < PAGE ? r->bytes - at : PAGE;
		void *now = (void *)(r->begin + at), *then = (void *)(r->copy + at);

		if (memcmp(now, then, n) == 0)
			continue;
		differed |= rec_in_module((uint64_t)now) || keeps_block(now, then, n / 8);
		memcpy(now, then, n);
	}
	return differed;
}

static bool copy_back(void)
{
	bool differed = false;

	for (uint32_t i = 0; i < region_count; i++)
		differed |= copy_back_region(&regions[i]);
	return differed;
}

void reset_restore(void)
{
	files_close_all();
	heap_reset();
	undo_rollback();
	/* What changed although nothing said so may change again: then all is compared always. */
	if (undo_opaque_seen || undo_doubtful || leaks || runs++ == 0)
		leaks |= copy_back() && !undo_opaque_seen;
	memcpy(__start_rt_run, run_state, (size_t)(__stop_rt_run - __start_rt_run));
	/* A jump out of a handler, for instance, may leave signals blocked. */
	sys_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&snapshot_mask, 0, sizeof(snapshot_mask), 0,
		 0);
	/* Library functions that are otherwise free of effects set it. */
	errno = snapshot_errno;
}

/* ---- more slots ---- */

static void *spawner_main(void *arg)
{
	for (;;) {
		uint32_t want = __atomic_load_n(&spawner_request, __ATOMIC_ACQUIRE);

		if (want == 0) {
			sys_futex_wait(&spawner_request, 0, -1);
			continue;
		}
		uint32_t answer = slot_grow(want) == 0 ? 1 : 2;

		__atomic_store_n(&spawner_request, 0, __ATOMIC_RELEASE);
		__atomic_store_n(&spawner_answer, answer, __ATOMIC_RELEASE);
		sys_futex_wake(&spawner_answer, 1);
	}
	return NULL;
}

static int ask_spawner(uint32_t slots)
{
	uint32_t answer;

	__atomic_store_n(&spawner_answer, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&spawner_request, slots, __ATOMIC_RELEASE);
	sys_futex_wake(&spawner_request, 1);
	while ((answer = __atomic_load_n(&spawner_answer, __ATOMIC_ACQUIRE)) == 0)
		sys_futex_wait(&spawner_answer, 0, -1);
	return answer == 1 ? 0 : -1;
}

int reset_grow(uint32_t slots)
{
	if (slots <= engine_slot_count)
		return -1;
	if (!engine_is_reset())
		return slot_grow(slots);
	if (ask_spawner(slots) < 0)
		return -1;
	return take_snapshot();
}

int reset_start(void)
{
	pthread_t spawner;

	if ((size_t)(__stop_rt_run - __start_rt_run) > sizeof(run_state))
		return -1;
	if (sys_map_fixed(LAYOUT_SNAPSHOT, LAYOUT_SNAPSHOT_BYTES, PROT_READ | PROT_WRITE) < 0)
		return -1;
	if (make_helper(1, spawner_main, &spawner) < 0)
		return -1;
	if (undo_start(engine_slots[0].entry_sp) < 0 || take_snapshot() < 0)
		return -1;
	return filter_install();
}
