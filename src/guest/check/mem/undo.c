#include "guest/check/mem/undo.h"

#include <string.h>
#include <sys/mman.h>

#include "guest/check/mem/layout.h"
#include "guest/os/sys.h"

#define PAGE 4096
#define DOUBT_BITS 65536 /* places told apart */
#define MAIN_STACK_REACH (UINT64_C(64) << 20)

int undo_on;
int undo_opaque_seen;
int undo_doubtful;

static uint64_t stack_floor; /* lowest dead address of main's stack */
static char *log_begin, *log_next, *log_end;

static uint8_t trusted[DOUBT_BITS / 8];

struct tail {
	uint64_t addr, bytes;
};

int undo_start(uint64_t main_sp)
{
	if (sys_map_fixed(LAYOUT_UNDO, LAYOUT_UNDO_BYTES, PROT_READ | PROT_WRITE) < 0)
		return -1;
	log_begin = log_next = (char *)LAYOUT_UNDO;
	log_end = log_begin + LAYOUT_UNDO_BYTES;
	stack_floor = main_sp - MAIN_STACK_REACH;
	undo_on = 1;
	return 0;
}

static bool dead_after_run(uint64_t addr)
{
	return addr - LAYOUT_HEAP < LAYOUT_HEAP_BYTES ||
	       addr - LAYOUT_SLOTS < LAYOUT_SLOT_BYTES * WIRE_MAX_LIVE ||
	       addr - stack_floor < MAIN_STACK_REACH;
}

void undo_record(const void *addr, size_t bytes)
{
	size_t padded = (bytes + 7) & ~(size_t)7;
	struct tail tail = {(uint64_t)addr, bytes};

	if (dead_after_run((uint64_t)addr) || bytes == 0)
		return;
	if (unlikely((size_t)(log_end - log_next) < padded + sizeof(tail)))
		rt_irreversible("more than %lu bytes of writes to undo", LAYOUT_UNDO_BYTES);
	if (likely(bytes == 8))
		memcpy(log_next, addr, 8);
	else
		memcpy(log_next, addr, bytes);
	memcpy(log_next + padded, &tail, sizeof(tail));
	log_next += padded + sizeof(tail);
}

/*
 * Puts bytes back, page by page: what has not changed is left alone.  The write that was to be
 * undone may have failed, because the memory is read-only.
 */
static void put_back(uint64_t addr, const char *bytes, uint64_t n)
{
	while (n) {
		uint64_t here = PAGE - addr % PAGE;

		here = here < n ? here : n;
		if (memcmp((void *)addr, bytes, here) != 0)
			memcpy((void *)addr, bytes, here);
		addr += here;
		bytes += here;
		n -= here;
	}
}

void undo_rollback(void)
{
	struct tail tail;

	while (log_next > log_begin) {
		memcpy(&tail, log_next - sizeof(tail), sizeof(tail));
		log_next -= sizeof(tail) + ((tail.bytes + 7) & ~(uint64_t)7);
		put_back(tail.addr, log_next, tail.bytes);
	}
}

void undo_doubt(uint32_t site)
{
	uint32_t at = site % DOUBT_BITS;

	if (!undo_on || (trusted[at / 8] >> at % 8 & 1))
		return;
	trusted[at / 8] |= (uint8_t)(1 << at % 8);
	undo_doubtful = 1;
}
