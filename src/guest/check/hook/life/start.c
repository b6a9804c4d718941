/*
 * Where heddle takes hold: the constructor finds the control block, and the wrapper around main
 * enters the engine.  Without HEDDLE_CTL nothing of this library does anything.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "guest/check/engine/outsider.h"
#include "guest/check/engine/slot.h"
#include "guest/check/hook/life/fini.h"
#include "guest/check/sched/upcall.h"
#include "guest/check/hook/memory/malloc.h"
#include "guest/check/hook/system/signals.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/os/stat.h"
#include "guest/os/sys.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/run.h"
#include "guest/check/sched/thread.h"

RT_EXPORT int heddle_active;

typedef int (*main_fn)(int, char **, char **);

static main_fn program_main;
static int program_argc;
static char **program_argv;

static bool area_fits(const struct wire_ctl *c, const struct wire_area *a)
{
	return a->offset >= sizeof(*c) && a->offset <= c->bytes && a->bytes <= c->bytes - a->offset &&
	       a->offset % 8 == 0;
}

static bool block_is_sound(const struct wire_ctl *c)
{
	return c->magic == WIRE_MAGIC && c->version == WIRE_LAYOUT && area_fits(c, &c->follow) &&
	       area_fits(c, &c->choices) && area_fits(c, &c->events) && area_fits(c, &c->scratch);
}

static struct wire_ctl *map_block(void)
{
	struct {
		uint64_t magic;
		uint32_t version, state;
		uint64_t bytes;
	} head;
	long got = sys_call(SYS_pread64, WIRE_CTL_FD, (long)&head, sizeof(head), 0, 0, 0);

	if (got != (long)sizeof(head) || head.magic != WIRE_MAGIC || head.version != WIRE_LAYOUT)
		return NULL;
	got = sys_call(SYS_mmap, (long)WIRE_CTL_ADDR, (long)head.bytes, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_FIXED_NOREPLACE, WIRE_CTL_FD, 0);
	if (got != (long)WIRE_CTL_ADDR || !block_is_sound((struct wire_ctl *)got))
		return NULL;
	return (struct wire_ctl *)got;
}

__attribute__((constructor(101))) static void boot(void)
{
	const char *value = getenv(WIRE_CTL_ENV);

	real_init();
	if (!value || strcmp(value, WIRE_CTL_VALUE) != 0)
		return;
	rt_ctl = map_block();
	heddle_active = rt_ctl != NULL;
	/* The block is for this process: programs it starts must not find it. */
	unsetenv(WIRE_CTL_ENV);
	sys_close(WIRE_CTL_FD);
}

/* How far the frames of main and what it called reached, as its last operation shows. */
static uint64_t depth_of_main(uint64_t here)
{
	uint64_t last = (uint64_t)rt_current->op;

	return last >= engine_slots[0].stack_low && last < here ? here - last : 0;
}

/*
 * The search takes the end of the process last, and lets threads that main has not waited for go on
 * until then.  Nothing may be written over the variables of main that they use.
 */
static void *call_main(void *arg)
{
	int status = program_main(program_argc, program_argv, environ);
	char *kept = __builtin_alloca(depth_of_main((uint64_t)__builtin_frame_address(0)));

	/* The compiler must believe that it is used. */
	__asm__ volatile("" : : "r"(kept) : "memory");
	hook_run_atexit(status);
	rt_exit(status);
}

static void look_at_process(void)
{
	malloc_early_begin = stat_heap_begin();
	malloc_early_end = (uint64_t)sys_call(SYS_brk, 0, 0, 0, 0, 0, 0);
	outsider_begin();
	signals_begin();
	fini_begin();
}

static int controlled_main(int argc, char **argv, char **envp)
{
	program_argc = argc;
	program_argv = argv;
	look_at_process();
	run_enter(call_main);
}

typedef int (*start_main_fn)(main_fn, int, char **, void (*)(void), void (*)(void), void (*)(void),
			     void *);

RT_EXPORT int __libc_start_main(main_fn main, int argc, char **argv, void (*init)(void),
				void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

RT_EXPORT int __libc_start_main(main_fn main, int argc, char **argv, void (*init)(void),
				void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
	start_main_fn real = (start_main_fn)real___libc_start_main;

	program_main = main;
	return real(heddle_active ? controlled_main : main, argc, argv, init, fini, rtld_fini,
		    stack_end);
}
