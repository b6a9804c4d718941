#include "run/guest/ctl.h"

#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096u

static uint64_t round_up(uint64_t n)
{
	return (n + PAGE - 1) / PAGE * PAGE;
}

static struct wire_area take_area(uint64_t *at, uint64_t bytes)
{
	struct wire_area area = {*at, round_up(bytes)};

	*at += area.bytes;
	return area;
}

static void lay_out(struct run_ctl *c, const struct run_ctl_sizes *sizes)
{
	uint64_t at = round_up(sizeof(struct wire_ctl));

	c->follow = take_area(&at, sizes->choices * sizeof(struct wire_choice));
	c->choices = take_area(&at, sizes->choices * sizeof(struct wire_choice));
	c->events = take_area(&at, sizes->events * sizeof(struct wire_event));
	c->scratch = take_area(&at, sizes->scratch);
	c->inputs = take_area(&at, sizes->inputs);
	c->bytes = at;
}

int run_ctl_open(struct run_ctl *c, const struct run_ctl_sizes *sizes, struct err *e)
{
	void *map;

	lay_out(c, sizes);
	c->fd = memfd_create("heddle-ctl", MFD_CLOEXEC);
	if (c->fd < 0)
		return err_errno(e, ERR_IO, "cannot make the control block");
	if (ftruncate(c->fd, (off_t)c->bytes) != 0) {
		err_errno(e, ERR_IO, "cannot make a control block of %zu bytes", c->bytes);
		close(c->fd);
		c->fd = -1;
		return e ? e->code : ERR_IO;
	}
	map = mmap(NULL, c->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, c->fd, 0);
	if (map == MAP_FAILED) {
		err_errno(e, ERR_IO, "cannot map the control block");
		close(c->fd);
		c->fd = -1;
		return e ? e->code : ERR_IO;
	}
	c->block = map;
	run_ctl_rewind(c);
	return 0;
}

void run_ctl_close(struct run_ctl *c)
{
	if (c->block)
		munmap(c->block, c->bytes);
	if (c->fd >= 0)
		close(c->fd);
	c->block = NULL;
	c->fd = -1;
}

void run_ctl_rewind(struct run_ctl *c)
{
	struct wire_ctl *b = c->block;

	memset(b, 0, sizeof(*b));
	b->magic = WIRE_MAGIC;
	b->version = WIRE_LAYOUT;
	b->bytes = c->bytes;
	b->follow = c->follow;
	b->choices = c->choices;
	b->events = c->events;
	b->scratch = c->scratch;
	b->inputs = c->inputs;
	memcpy(b->trust, c->trust, sizeof(b->trust));
	b->state = STATE_STARTING;
}

void run_ctl_feed(struct run_ctl *c, const void *bytes, size_t n)
{
	assert(n <= c->inputs.bytes);
	memcpy((char *)c->block + c->inputs.offset, bytes, n);
}

int run_ctl_trust(struct run_ctl *c, const char *names, struct err *e)
{
	size_t n = strlen(names);

	/* A list ends with an empty name. */
	if (n + 2 > sizeof(c->trust))
		return err_set(e, ERR_LIMIT, "--trust: the names are longer than %zu bytes together",
			       sizeof(c->trust) - 2);
	memset(c->trust, 0, sizeof(c->trust));
	for (size_t i = 0; i < n; i++)
		c->trust[i] = names[i] == ',' ? '\0' : names[i];
	memcpy(c->block->trust, c->trust, sizeof(c->trust));
	return 0;
}

int run_ctl_set_job(struct run_ctl *c, const struct wire_job *job, const struct wire_choice *follow,
		    struct err *e)
{
	uint64_t capacity = c->follow.bytes / sizeof(struct wire_choice);

	if (job->schedule_count > capacity)
		return err_set(e, ERR_LIMIT, "a schedule of %llu choices is too long (limit %llu)",
			       (unsigned long long)job->schedule_count,
			       (unsigned long long)capacity);
	if (job->schedule_count > 0)
		memcpy((char *)c->block + c->follow.offset, follow,
		       job->schedule_count * sizeof(struct wire_choice));
	memset(&c->block->result, 0, sizeof(c->block->result));
	c->block->job = *job;
	return 0;
}

uint32_t run_ctl_state(const struct run_ctl *c)
{
	return __atomic_load_n(&c->block->state, __ATOMIC_ACQUIRE);
}

void run_ctl_set_state(struct run_ctl *c, enum wire_state state)
{
	__atomic_store_n(&c->block->state, (uint32_t)state, __ATOMIC_RELEASE);
	syscall(SYS_futex, &c->block->state, FUTEX_WAKE, 1 << 30, NULL, NULL, 0);
}

void run_ctl_wait(struct run_ctl *c, uint32_t seen, uint64_t timeout_ns)
{
	struct timespec limit = {(time_t)(timeout_ns / 1000000000u),
				 (long)(timeout_ns % 1000000000u)};

	syscall(SYS_futex, &c->block->state, FUTEX_WAIT, seen, &limit, NULL, 0);
}

uint64_t run_ctl_heartbeat(const struct run_ctl *c)
{
	return __atomic_load_n(&c->block->heartbeat, __ATOMIC_RELAXED);
}

void run_ctl_name_executable(const struct run_ctl *c, const char *path)
{
	for (size_t i = 0; i < WIRE_MAX_MODULES && i < c->block->module_count; i++) {
		struct wire_module *m = &c->block->modules[i];

		if (m->path[0] == '\0')
			snprintf(m->path, sizeof(m->path), "%s", path);
	}
}

static size_t clamp(uint64_t count, uint64_t bytes, size_t entry)
{
	uint64_t capacity = bytes / entry;

	return (size_t)(count < capacity ? count : capacity);
}

const struct wire_choice *run_ctl_choices(const struct run_ctl *c, size_t *count)
{
	*count = clamp(c->block->result.choice_count, c->choices.bytes, sizeof(struct wire_choice));
	return (const struct wire_choice *)((const char *)c->block + c->choices.offset);
}

const struct wire_event *run_ctl_events(const struct run_ctl *c, size_t *count)
{
	*count = clamp(c->block->result.event_count, c->events.bytes, sizeof(struct wire_event));
	return (const struct wire_event *)((const char *)c->block + c->events.offset);
}
