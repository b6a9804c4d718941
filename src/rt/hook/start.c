/*
 * Where heddle takes hold: the constructor finds the control block, and the wrapper around main
 * enters the engine.  Without HEDDLE_CTL nothing of this library does anything.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt/hook/hook.h"
#include "rt/hook/malloc.h"
#include "rt/mem/undo.h"
#include "rt/os/real.h"
#include "rt/os/sys.h"
#include "rt/rec/rec.h"
#include "rt/sched/run.h"

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

static void *call_main(void *arg)
{
	int status = program_main(program_argc, program_argv, environ);

	hook_run_atexit(status);
	rt_exit(status);
}

/* Field number n of /proc/self/stat; fields are counted behind the name, which may have blanks. */
static uint64_t stat_field(const char *text, int n)
{
	int field = 2;

	for (const char *at = strrchr(text, ')'); at && *at; at++)
		if (*at == ' ' && ++field == n)
			return strtoul(at, NULL, 10);
	return 0;
}

static void look_at_process(void)
{
	char text[1024];
	int fd = sys_open_read("/proc/self/stat");
	long got = fd < 0 ? 0 : sys_read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		sys_close(fd);
	text[got > 0 ? got : 0] = 0;
	malloc_early_begin = stat_field(text, 47);
	malloc_early_end = (uint64_t)sys_call(SYS_brk, 0, 0, 0, 0, 0, 0);
	/* Threads that constructors started run beside ours, where nobody can see them. */
	if (stat_field(text, 20) > 1)
		rt_note("threads started before main are not under control");
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
