#include "guest/record/record.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest/os/fmt.h"
#include "guest/os/real.h"
#include "guest/os/sys.h"

extern char **environ;

struct record_ctl *rec_ctl;

#define CTL_BYTES (RECORD_CHUNKS_AT + RECORD_MAX_CHUNKS * sizeof(struct record_chunk))

void rec_note(const char *format, ...)
{
	uint32_t row = rec_ctl ? __atomic_fetch_add(&rec_ctl->note_count, 1, __ATOMIC_RELAXED) : 0;
	va_list args;

	if (!rec_ctl || row >= RECORD_MAX_NOTES)
		return;
	va_start(args, format);
	fmt_vtext(rec_ctl->notes[row], RECORD_TEXT_BYTES, format, args);
	va_end(args);
}

/* The variable is ours: the program gets its environment without it. */
static const char *take_variable(void)
{
	static const char name[] = RECORD_ENV "=";
	const char *found = NULL;
	char **to = environ;

	for (char **from = environ; from && *from; from++) {
		if (!strncmp(*from, name, sizeof(name) - 1))
			found = *from + sizeof(name) - 1;
		else
			*to++ = *from;
	}
	if (found)
		*to = NULL;
	return found;
}

static struct record_ctl *map_control(const char *dir)
{
	char path[4096];
	long fd, at;

	fmt_text(path, sizeof(path), "%s/%s", dir, RECORD_CTL_FILE);
	fd = sys_call(SYS_openat, AT_FDCWD, (long)path, O_RDWR | O_CLOEXEC, 0, 0, 0);
	if (fd < 0)
		return NULL;
	at = sys_call(SYS_mmap, 0, CTL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	sys_close((int)fd);
	return at < 0 && at > -4096 ? NULL : (struct record_ctl *)at;
}

/* Another program that this one executes finds the place taken. */
static bool may_attach(struct record_ctl *c)
{
	uint32_t none = 0;

	if (c->magic != RECORD_MAGIC || c->version != RECORD_VERSION ||
	    c->pid != (uint32_t)sys_getpid())
		return false;
	if (__atomic_compare_exchange_n(&c->attached, &none, 1, false, __ATOMIC_ACQ_REL,
					__ATOMIC_RELAXED))
		return true;
	rec_ctl = c;
	rec_note("the program executed another one, which is not recorded");
	rec_ctl = NULL;
	return false;
}

static void before_fork(void)
{
	if (rec_ctl)
		__atomic_fetch_add(&rec_ctl->forked, 1, __ATOMIC_RELAXED);
}

/* The mappings are shared with the parent: the child keeps its hands off them. */
static void in_child(void)
{
	rec_ctl = NULL;
	rec_coop_stop();
	rec_thread_stop();
}

__attribute__((constructor(101))) static void attach(void)
{
	const char *dir;
	struct record_ctl *c;

	real_init();
	dir = take_variable();
	c = dir ? map_control(dir) : NULL;
	if (!c)
		return;
	if (!may_attach(c)) {
		sys_call(SYS_munmap, (long)c, CTL_BYTES, 0, 0, 0, 0);
		return;
	}
	rec_stream_init(dir);
	rec_ctl = c;
	rec_coop_init(dir);
	rec_secret_init();
	pthread_atfork(before_fork, NULL, in_child);
	rec_thread_first();
	rec_fail_init();
}
