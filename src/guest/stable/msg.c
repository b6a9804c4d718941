#include "guest/stable/msg.h"

#include <fcntl.h>
#include <string.h>

#include "guest/stable/os.h"

static struct stable_ctl before_init;
struct stable_ctl *ctl = &before_init;
static struct stable_ctl *host; /* heddle's block: ctl in the first process, else another's */
static bool has_host;		/* host == ctl */
static bool elsewhere;		/* another program than the one that heddle started */

static void start(struct stable_ctl *block)
{
	block->magic = STABLE_CTL_MAGIC;
	block->version = STABLE_VERSION;
	block->bytes = sizeof(*block);
	block->owner = sys_getpid();
	ctl = block;
}

/* The process has become another program: places in the old one mean nothing any more. */
static void forget_program(struct stable_ctl *block)
{
	block->modules = block->sobas = block->regions = 0;
	memset(block->region, 0, sizeof(block->region));
}

/* Process ids lie in the block until those processes have told what they did. */
static void enlist(void)
{
	int32_t pid = sys_getpid(), none = 0;
	for (int i = 0; i < STABLE_CHILDREN; i++) {
		if (__atomic_load_n(&host->child[i], __ATOMIC_RELAXED) == pid)
			return;
	}
	for (int i = 0; i < STABLE_CHILDREN; i++, none = 0) {
		if (__atomic_compare_exchange_n(&host->child[i], &none, pid, false,
						__ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return;
	}
	__atomic_add_fetch(&host->loose[STABLE_LOOSE_CHILD].count, 1, __ATOMIC_RELAXED);
}

void msg_init(const char *path)
{
	int fd = path[0] ? os_open(path, O_RDWR, 0) : -1;
	if (fd >= 0) {
		host = os_map_shared(fd, sizeof(*host), 0);
		sys_close(fd);
	}
	/* A process that the program started inherits the environment; only the first process, or
	 * what it became by exec, has this block for its own. */
	has_host = host && (host->owner == 0 || host->owner == sys_getpid());
	if (has_host && host->owner != 0)
		forget_program(host);
	elsewhere = host && !has_host;
	if (elsewhere)
		enlist();
	start(has_host ? host : os_pages(sizeof(*ctl)));
}

bool msg_has_host(void)
{
	return has_host;
}

void msg_fork_child(void)
{
	has_host = false;
	start(os_pages(sizeof(*ctl)));
	if (host)
		enlist();
}

bool msg_is_mine(void)
{
	return ctl->owner == sys_getpid();
}

static bool is_named(const char *path)
{
	uint32_t n = __atomic_load_n(&host->programs, __ATOMIC_ACQUIRE);
	for (uint32_t i = 0; i < n && i < STABLE_PROGRAMS; i++) {
		if (strncmp(host->program[i], path, STABLE_PATH) == 0)
			return true;
	}
	return false;
}

/* heddle looks for atomic operations in the files of processes that had several threads. */
static void name_files(void)
{
	for (uint32_t i = 0; ctl->peak > 1 && i < ctl->modules; i++) {
		if (is_named(ctl->module[i].path))
			continue;
		uint32_t at = __atomic_fetch_add(&host->programs, 1, __ATOMIC_ACQ_REL);
		if (at < STABLE_PROGRAMS)
			memcpy(host->program[at], ctl->module[i].path, STABLE_PATH);
	}
}

/* A sum, so that the order in which processes end does not matter. */
void msg_child_end(void)
{
	if (!host || has_host)
		return;
	uint64_t hash = ctl->hash * UINT64_C(0x9e3779b97f4a7c15);
	__atomic_add_fetch(&host->child_hash, hash ^ (hash >> 32), __ATOMIC_RELAXED);
	__atomic_add_fetch(&host->child_operations, ctl->operations, __ATOMIC_RELAXED);
	__atomic_add_fetch(&host->child_count, 1, __ATOMIC_RELAXED);
	name_files();
	for (int i = 0; i < STABLE_LOOSE_COUNT; i++)
		__atomic_add_fetch(&host->loose[i].count, ctl->loose[i].count, __ATOMIC_RELAXED);
	for (int i = 0; i < STABLE_CHILDREN; i++) {
		int32_t pid = ctl->owner;
		if (__atomic_compare_exchange_n(&host->child[i], &pid, 0, false, __ATOMIC_RELAXED,
						__ATOMIC_RELAXED))
			return;
	}
}

void msg_loose(enum stable_loose what, uintptr_t pc)
{
	if (__atomic_fetch_add(&ctl->loose[what].count, 1, __ATOMIC_RELAXED) == 0)
		ctl->loose[what].pc = pc;
}

void msg_broken(const char *function, const char *invariant)
{
	static uint32_t said;

	msg_loose(STABLE_LOOSE_BROKEN, (uintptr_t)__builtin_return_address(0));
	if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
		msg_say("an invariant of the runtime is broken in %s: %s", function, invariant);
}

void msg_urgent(void)
{
	if (host)
		__atomic_add_fetch(&host->urgent, 1, __ATOMIC_RELEASE);
}

/* heddle names addresses ("@…") of the first program only; in others they stay numbers. */
static size_t hide_addresses(const char *line, char *to, size_t limit)
{
	size_t n = fmt_text(to, limit, "process %d: ", sys_getpid());
	for (; *line && n + 2 < limit; line++) {
		if (*line == '@')
			to[n++] = '0';
		to[n++] = *line == '@' ? 'x' : *line;
	}
	to[n] = 0;
	return n;
}

void msg_say(const char *format, ...)
{
	char line[512], other[512];
	va_list args;
	va_start(args, format);
	size_t n = fmt_vtext(line, sizeof(line) - 1, format, args);
	va_end(args);
	if (elsewhere) {
		n = hide_addresses(line, other, sizeof(other) - 1);
		memcpy(line, other, n);
	}
	line[n++] = '\n';
	if (!host) {
		os_write_all(2, "heddle stable: ", 15);
		os_write_all(2, line, n);
		return;
	}
	uint32_t at = __atomic_fetch_add(&host->text_bytes, (uint32_t)n, __ATOMIC_RELAXED);
	if (at + n > STABLE_TEXT_BYTES)
		return;
	for (size_t i = 0; i < n; i++)
		host->text[at + i] = line[i];
}
