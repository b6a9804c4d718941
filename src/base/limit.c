#include "base/limit.h"

#include <assert.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"

uint64_t limit_now(void)
{
	return clock_now_ns();
}

/* The second number of statm is what is resident, the third what of it is shared, in pages. */
uint64_t limit_memory(void)
{
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	unsigned long resident, shared;
	char text[128], *at;
	ssize_t n;

	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	strtoul(text, &at, 10);
	resident = strtoul(at, &at, 10);
	shared = strtoul(at, &at, 10);
	return resident > shared ? (resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

enum limit_reason limit_reached(const struct limit *l)
{
	uint64_t stopped, now;

	if (!l)
		return LIMIT_NONE;
	stopped = l->stopped_ns ? *l->stopped_ns : 0;
	now = l->end_ns || stopped ? limit_now() : 0;
	if (stopped && now >= stopped + l->grace_ns)
		return LIMIT_STOP;
	if (l->end_ns && now >= l->end_ns + l->grace_ns)
		return LIMIT_TIME;
	if (l->max_bytes && limit_memory() > l->max_bytes)
		return LIMIT_MEMORY;
	return LIMIT_NONE;
}

struct limit limit_within(const struct limit *l, uint64_t ns)
{
	struct limit inner = l ? *l : (struct limit)LIMIT_INIT;
	uint64_t end = ns ? limit_now() + ns : 0;

	if (end && (!inner.end_ns || end < inner.end_ns))
		inner.end_ns = end;
	assert(!ns || inner.end_ns);
	return inner;
}

struct limit limit_after(const struct limit *l, uint64_t grace_ns)
{
	struct limit later = l ? *l : (struct limit)LIMIT_INIT;

	later.grace_ns += grace_ns;
	later.max_bytes = 0;
	return later;
}

const char *limit_text(enum limit_reason reason)
{
	switch (reason) {
	case LIMIT_TIME:
		return "time is up";
	case LIMIT_STOP:
		return "interrupted";
	case LIMIT_MEMORY:
		return "memory is up: heddle holds as much as it may";
	case LIMIT_NONE:
		break;
	}
	return NULL;
}
