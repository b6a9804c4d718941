#include "rt_stable/msg.h"

#include <fcntl.h>
#include <string.h>

#include "rt_stable/os.h"

static struct stable_ctl before_init;
struct stable_ctl *ctl = &before_init;
static bool has_host;

static void start(struct stable_ctl *block)
{
	block->magic = STABLE_CTL_MAGIC;
	block->version = STABLE_VERSION;
	block->bytes = sizeof(*block);
	block->owner = os_getpid();
	ctl = block;
}

/* The process has become another program: places in the old one mean nothing any more. */
static void forget_program(struct stable_ctl *block)
{
	block->modules = block->sobas = block->regions = 0;
	memset(block->region, 0, sizeof(block->region));
}

void msg_init(const char *path)
{
	struct stable_ctl *block = NULL;
	int fd = path[0] ? os_open(path, O_RDWR, 0) : -1;
	if (fd >= 0) {
		block = os_map_shared(fd, sizeof(*block), 0);
		os_close(fd);
	}
	/* A process that the program started inherits the environment; only the first process, or
	 * what it became by exec, may write here. */
	if (block && block->owner != 0 && block->owner != os_getpid()) {
		os_unmap(block, sizeof(*block));
		block = NULL;
	}
	if (block && block->owner != 0)
		forget_program(block);
	has_host = block != NULL;
	start(block ? block : os_pages(sizeof(*block)));
}

bool msg_has_host(void)
{
	return has_host;
}

void msg_fork_child(void)
{
	has_host = false;
	start(os_pages(sizeof(*ctl)));
}

void msg_say(const char *format, ...)
{
	char line[512];
	va_list args;
	va_start(args, format);
	size_t n = os_vformat(line, sizeof(line) - 1, format, args);
	va_end(args);
	line[n++] = '\n';
	if (!has_host) {
		os_write_all(2, "heddle stable: ", 15);
		os_write_all(2, line, n);
		return;
	}
	uint32_t at = __atomic_fetch_add(&ctl->text_bytes, (uint32_t)n, __ATOMIC_RELAXED);
	if (at + n > STABLE_TEXT_BYTES)
		return;
	for (size_t i = 0; i < n; i++)
		ctl->text[at + i] = line[i];
}
