#include "guest/stable/hints/site.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "guest/stable/conf.h"
#include "guest/stable/msg.h"
#include "guest/stable/os.h"
#include "guest/stable/hints/soba.h"

#define SITES 256 /* places of the table; at most half of them are used */

/* Hashed by address; only equality counts, so the order of places does not matter. */
static struct site {
	uint64_t pc;
	int threads, timeout;
	bool ready, outside;
} sites[SITES];
static int site_count;

static struct site *place_of(uint64_t pc)
{
	size_t at = (size_t)((pc * UINT64_C(0x9e3779b97f4a7c15)) >> 56) % SITES;
	while (sites[at].pc && sites[at].pc != pc)
		at = (at + 1) % SITES;
	return &sites[at];
}

static uint64_t address_of(const char *module, size_t length, uint64_t offset)
{
	for (uint32_t i = 0; i < ctl->modules; i++) {
		const char *slash = strrchr(ctl->module[i].path, '/');
		const char *name = slash ? slash + 1 : ctl->module[i].path;
		if (strlen(name) == length && memcmp(name, module, length) == 0)
			return ctl->module[i].base + offset;
	}
	return 0;
}

static bool parse(char *line)
{
	struct site s = {0};
	s.outside = strncmp(line, "pcs ", 4) == 0;
	if (!s.outside && strncmp(line, "soba ", 5) != 0)
		return false;
	char *module = line + (s.outside ? 4 : 5), *plus = strrchr(module, '+'), *end;
	if (!plus)
		return false;
	uint64_t offset = strtoul(plus + 1, &end, 16);
	s.threads = (int)strtol(end, &end, 10);
	s.timeout = (int)strtol(end, &end, 10);
	s.pc = address_of(module, (size_t)(plus - module), offset);
	if (!s.outside && s.threads < 2)
		return false;
	if (s.outside ? !conf.pcs : !conf.soba)
		return true;
	/* A module that this program does not have: the file may serve several programs. */
	if (s.pc && site_count < SITES / 2) {
		struct site *place = place_of(s.pc);
		site_count += place->pc == 0;
		*place = s;
	}
	return true;
}

bool site_init(void)
{
	static char text[16384];
	if (!conf.hints[0])
		return false;
	int fd = os_open(conf.hints, O_RDONLY, 0);
	if (fd < 0) {
		msg_say("cannot read the hints in %s", conf.hints);
		return false;
	}
	long bytes = sys_read(fd, text, sizeof(text) - 1);
	sys_close(fd);
	text[bytes > 0 ? bytes : 0] = 0;
	for (char *line = text; line && *line;) {
		char *next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (line[0] && line[0] != '#' && !parse(line))
			msg_say("%s: not a hint: %s", conf.hints, line);
		line = next;
	}
	return site_count > 0;
}

static bool is_outside(const struct sched_thread *t)
{
	return place_of(t->pc[0])->outside;
}

static void check(struct sched_thread *t)
{
	struct site *s = place_of(t->pc[0]);
	if (!s->pc || s->outside || soba_skip(t, s))
		return;
	sched_get_turn(t);
	if (!s->ready) {
		s->ready = true;
		soba_prepare(s, s->threads, s->timeout, s->pc);
	}
	soba_arrive(t, s);
	sched_put_turn(t);
}

const struct hook_sites site_hooks = {.is_outside = is_outside, .check = check};
