#include "guest/check/engine/slot.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "guest/check/engine/fiber.h"
#include "guest/check/engine/signal.h"
#include "guest/check/mem/layout.h"
#include "guest/os/real.h"
#include "guest/os/sys.h"

/* A slot's region: image, signal stack, guard, then the stack in the upper half. */
#define IMAGE_OFFSET 0
#define IMAGE_ROOM (UINT64_C(1) << 20)
#define SIGNAL_OFFSET (UINT64_C(2) << 20)
#define GUARD_BYTES 4096
/* Room below the pthread's own frames before the program's frames begin. */
#define PARK_ROOM 0x4000

struct engine_slot engine_slots[WIRE_MAX_LIVE];
uint32_t engine_slot_count;
void (*slot_run_entry)(void);

static uint64_t region_of(uint32_t index)
{
	return LAYOUT_SLOTS + index * LAYOUT_SLOT_BYTES;
}

void slot_init_main(uint64_t sp)
{
	struct engine_slot *s = &engine_slots[0];

	rt_ours = 1;
	s->handle = pthread_self();
	s->fs = (uint64_t)s->handle;
	s->entry_sp = (sp - PARK_ROOM) & ~UINT64_C(0xfff);
	s->stack_high = s->entry_sp;
	s->stack_low = s->entry_sp - LAYOUT_STACK_BYTES;
	engine_slot_count = 1;
}

static void take_image(struct engine_slot *s, uint64_t frame)
{
	uint64_t region = region_of((uint32_t)(s - engine_slots));

	s->image_begin = frame & ~UINT64_C(15);
	s->image_bytes = region + LAYOUT_SLOT_BYTES - s->image_begin;
	memcpy((void *)(region + IMAGE_OFFSET), (void *)s->image_begin, s->image_bytes);
	s->entry_sp = (frame - PARK_ROOM) & ~UINT64_C(0xfff);
	s->stack_high = s->entry_sp;
	s->stack_low = region + LAYOUT_SLOT_BYTES - LAYOUT_STACK_BYTES;
}

void slot_refresh(struct engine_slot *s)
{
	uint64_t region = region_of((uint32_t)(s - engine_slots));

	if (s->used && s->image_bytes)
		memcpy((void *)s->image_begin, (void *)(region + IMAGE_OFFSET), s->image_bytes);
	s->used = 1;
}

static void *slot_main(void *arg)
{
	struct engine_slot *s = arg;

	s->handle = pthread_self();
	s->fs = (uint64_t)s->handle;
	rt_ours = 1; /* part of the image, like all of its thread-local storage */
	take_image(s, (uint64_t)__builtin_frame_address(0));
	if (slot_run_entry)
		signal_stack(region_of((uint32_t)(s - engine_slots)) + SIGNAL_OFFSET);
	__atomic_store_n(&s->ready, 1, __ATOMIC_RELEASE);
	sys_futex_wake(&s->ready, 1);
	while (__atomic_load_n(&s->go, __ATOMIC_ACQUIRE) == 0)
		sys_futex_wait(&s->go, 0, -1);
	s->fresh = 0;
	fiber_take_floats(s->floats);
	fiber_call(s->entry_sp, slot_run_entry);
}

static int map_region(uint32_t index)
{
	uint64_t region = region_of(index);
	uint64_t stack = region + LAYOUT_SLOT_BYTES - LAYOUT_STACK_BYTES;

	if (sys_map_fixed(region, LAYOUT_SLOT_BYTES, PROT_READ | PROT_WRITE) < 0)
		return -1;
	return sys_protect(stack - GUARD_BYTES, GUARD_BYTES, PROT_NONE) < 0 ? -1 : 0;
}

static int make_pthread(uint32_t index)
{
	struct engine_slot *s = &engine_slots[index];
	uint64_t region = region_of(index);
	pthread_attr_t attr;
	sigset_t all, old;
	int failed;

	if (map_region(index) < 0)
		return -1;
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, (void *)(region + LAYOUT_SLOT_BYTES - LAYOUT_STACK_BYTES),
			      LAYOUT_STACK_BYTES);
	/* Signals for the process are for the thread that runs the program. */
	sigfillset(&all);
	if (!slot_run_entry)
		real_pthread_sigmask(SIG_SETMASK, &all, &old);
	failed = real_pthread_create((pthread_t *)&s->handle, &attr, slot_main, s);
	if (!slot_run_entry)
		real_pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (failed)
		return -1;
	while (__atomic_load_n(&s->ready, __ATOMIC_ACQUIRE) == 0)
		sys_futex_wait(&s->ready, 0, -1);
	return 0;
}

int slot_grow(uint32_t count)
{
	while (engine_slot_count < count && engine_slot_count < WIRE_MAX_LIVE) {
		if (make_pthread(engine_slot_count) < 0)
			return -1;
		engine_slot_count++;
	}
	return 0;
}
