#include "guest/stable/sched/foreign.h"

#include <fcntl.h>
#include <string.h>

#include "guest/stable/os.h"
#include "guest/stable/sched/sched.h"

#define PATIENCE 40 /* looks at a thread that should be gone, … */
#define PAUSE_NS 5000000

/* As the kernel writes them. */
struct entry {
	uint64_t inode, next;
	uint16_t bytes;
	uint8_t type;
	char name[];
};

/* One that was there for long: while it lives, nothing has to be waited for again. */
static int known;

static bool is_ours(int os_tid)
{
	for (struct sched_thread *t = sched.all; t; t = t->all_next) {
		if (t->os_tid == os_tid && !t->finished)
			return true;
	}
	return false;
}

static int number_of(const char *text)
{
	int number = 0;
	for (; *text >= '0' && *text <= '9'; text++)
		number = number * 10 + (*text - '0');
	return *text ? 0 : number;
}

/* The first unknown thread in a part of the directory, 0 when there is none. */
static int unknown_in(const char *part, long bytes)
{
	for (long at = 0; at < bytes;) {
		const struct entry *e = (const struct entry *)(part + at);
		int os_tid = number_of(e->name);
		if (os_tid && !is_ours(os_tid))
			return os_tid;
		at += e->bytes;
	}
	return 0;
}

static int find_unknown(void)
{
	_Alignas(8) char part[4096];
	int fd = os_open("/proc/self/task", O_RDONLY | O_DIRECTORY, 0), found = 0;
	long bytes;
	if (fd < 0)
		return 0;
	while (!found && (bytes = sys_call3(SYS_getdents64, fd, part, sizeof(part))) > 0)
		found = unknown_in(part, bytes);
	sys_close(fd);
	return found;
}

bool foreign_threads(void)
{
	if (known && sys_call3(SYS_tgkill, sys_getpid(), known, 0) == 0 && !is_ours(known))
		return true;
	known = 0;
	for (int looks = 0; looks < PATIENCE; looks++) {
		int found = find_unknown();
		if (!found)
			return false;
		known = found;
		sys_sleep_ns(PAUSE_NS);
	}
	return true;
}

/* A line of the memory map that begins a C library. */
static bool begins_libc(const char *line, size_t bytes)
{
	static const char name[] = "/libc.so.6", start[] = " 00000000 ";
	return bytes > sizeof(name) &&
	       memcmp(line + bytes - sizeof(name) + 1, name, sizeof(name) - 1) == 0 &&
	       memmem(line, bytes, start, sizeof(start) - 1) != NULL;
}

int foreign_libraries(void)
{
	char text[4096];
	size_t kept = 0;
	int fd = os_open("/proc/self/maps", O_RDONLY, 0), count = 0;
	long n;
	if (fd < 0)
		return 0;
	while ((n = sys_read(fd, text + kept, sizeof(text) - kept)) > 0) {
		char *line = text, *end, *all = text + kept + n;
		for (; (end = memchr(line, '\n', (size_t)(all - line))) != NULL; line = end + 1)
			count += begins_libc(line, (size_t)(end - line));
		kept = (size_t)(all - line);
		memmove(text, line, kept);
	}
	sys_close(fd);
	return count > 1 ? count - 1 : 0;
}
