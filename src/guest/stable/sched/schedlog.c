#include "guest/stable/sched/schedlog.h"

#include <fcntl.h>
#include <string.h>

#include "guest/stable/conf.h"
#include "guest/stable/msg.h"
#include "guest/stable/os.h"
#include "guest/stable/stack.h"

#define WINDOW (UINT64_C(4) << 20)
#define HEADER_BYTES 4096 /* mapping granularity; entries start after the header itself */
#define STACKS 65536
#define HASH_START UINT64_C(0xcbf29ce484222325)

bool schedlog_active;
void (*schedlog_listener)(struct sched_thread *t, uint16_t op, uint16_t res, uint32_t obj);

static int fd = -1;
static struct stable_log_header *header;
static char *window;
static uint64_t window_at; /* file offset of the window */
static uint64_t modules_defined;

/* Known stacks: hash of the frames and id; a collision of 64 bits shows a wrong stack, no more. */
static struct {
	uint64_t hash;
	uint32_t id;
} *stacks;
static uint32_t next_stack = 1;

static const uint8_t kinds[STABLE_OP_COUNT] = {
#define X(NAME, text, kind) OBJ_##kind,
#include "wire/stable_ops.def"
#undef X
};

enum obj_kind schedlog_kind(uint16_t op)
{
	return kinds[op];
}

static void give_up(const char *why)
{
	ctl->flags |= STABLE_FLAG_LOG_FAILED;
	msg_say("the schedule log %s: %s", conf.log, why);
	if (fd >= 0)
		sys_close(fd);
	fd = -1;
}

static bool map_window(uint64_t at)
{
	if (window)
		os_unmap(window, WINDOW);
	window_at = at;
	window = NULL;
	/* Pages without space behind them would kill the program when the disk is full. */
	if (os_allocate(fd, at, WINDOW) == 0)
		window = os_map_shared(fd, WINDOW, at);
	if (!window)
		give_up("cannot be extended: the disk is full or the file too large");
	return window != NULL;
}

void schedlog_init(void)
{
	schedlog_active = conf.hash || conf.hash_all || conf.log[0] || conf.replay[0];
	ctl->hash = HASH_START;
	if (!conf.log[0] || (conf.ctl[0] && !msg_has_host()))
		return;
	fd = os_open(conf.log, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0) {
		give_up("cannot be written");
		return;
	}
	/* Out of the way of programs that count on low descriptor numbers. */
	long high = sys_call3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 900);
	if (high >= 0) {
		sys_close(fd);
		fd = (int)high;
	}
	if (!map_window(0))
		return;
	header = os_map_shared(fd, HEADER_BYTES, 0);
	if (!header) {
		give_up("cannot be mapped");
		return;
	}
	*header = (struct stable_log_header){.magic = STABLE_LOG_MAGIC,
					     .version = STABLE_VERSION,
					     .entry_bytes = sizeof(struct stable_entry),
					     .hash = ctl->hash};
	stacks = os_pages(STACKS * sizeof(*stacks));
	stack_init();
}

/* Entries never straddle windows: header, window and entry sizes are multiples of 32. */
static void put(const void *entry)
{
	if (fd < 0)
		return;
	uint64_t at = sizeof(*header) + header->bytes;
	if (at >= window_at + WINDOW && !map_window(window_at + WINDOW))
		return;
	memcpy(window + (at - window_at), entry, sizeof(struct stable_entry));
	header->bytes += sizeof(struct stable_entry);
}

static void put_bytes(const void *bytes, size_t n)
{
	char entry[sizeof(struct stable_entry)];
	for (size_t done = 0; done < n && fd >= 0; done += sizeof(entry)) {
		size_t part = n - done < sizeof(entry) ? n - done : sizeof(entry);
		memset(entry, 0, sizeof(entry));
		memcpy(entry, (const char *)bytes + done, part);
		put(entry);
	}
}

static void define_module(int module)
{
	if (module < 0 || module >= 64 || (modules_defined >> module) & 1)
		return;
	modules_defined |= UINT64_C(1) << module;
	size_t n = strlen(ctl->module[module].path);
	struct stable_entry e = {
		.op = STABLE_DEF_MODULE, .obj = (uint32_t)module, .arg = (uint32_t)n};
	put(&e);
	put_bytes(ctl->module[module].path, n);
}

static void define_stack(uint32_t id, const uint64_t *pc, uint32_t count)
{
	struct stable_frame frames[32];
	memset(frames, 0, sizeof(frames));
	for (uint32_t i = 0; i < count; i++) {
		int module = stack_module_of(pc[i]);
		define_module(module);
		frames[i].module = (uint32_t)module;
		frames[i].offset = module < 0 ? pc[i] : pc[i] - ctl->module[module].base;
	}
	struct stable_entry e = {.op = STABLE_DEF_STACK, .arg = count, .stack = id};
	put(&e);
	put_bytes(frames, count * sizeof(frames[0]));
}

static uint32_t intern_stack(struct sched_thread *t)
{
	uint64_t pc[32];
	uint32_t count = stack_capture(t->pc[0], pc, conf.stacks < 1 ? 1 : (uint32_t)conf.stacks);
	uint64_t hash = HASH_START;
	for (uint32_t i = 0; i < count; i++)
		hash = (hash ^ pc[i]) * UINT64_C(0x100000001b3);
	size_t at = hash & (STACKS - 1);
	for (int tries = 0; tries < 64; tries++, at = (at + 1) & (STACKS - 1)) {
		if (stacks[at].id && stacks[at].hash == hash)
			return stacks[at].id;
		if (stacks[at].id)
			continue;
		stacks[at].hash = hash;
		stacks[at].id = next_stack++;
		define_stack(stacks[at].id, pc, count);
		return stacks[at].id;
	}
	return 0;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * UINT64_C(0x100000001b3);
}

static bool is_hint(uint16_t op)
{
	return op >= STABLE_OP_SOBA_INIT && op <= STABLE_OP_PCS_EXIT;
}

/* Hints and time stay out of the hash unless asked for: a hinted program keeps its schedule. */
static void add_hash(struct sched_thread *t, const struct schedlog_op *op, uint32_t obj)
{
	if (is_hint(op->op) && !conf.hash_all)
		return;
	uint64_t hash =
		mix(ctl->hash, ((uint64_t)t->tid << 32) | ((uint64_t)op->op << 16) | op->res);
	hash = mix(hash, ((uint64_t)obj << 32) | op->arg);
	if (conf.hash_all)
		hash = mix(hash, sched.time);
	ctl->hash = hash ^ (hash >> 29);
}

void schedlog_write(struct sched_thread *t, const struct schedlog_op *op)
{
	uint32_t obj = op->obj;
	if (op->addr && kinds[op->op] != OBJ_NONE)
		obj = obj_get(kinds[op->op], op->addr)->ordinal;
	ctl->operations++;
	add_hash(t, op, obj);
	if (schedlog_listener)
		schedlog_listener(t, op->op, op->res, obj);
	if (fd < 0)
		return;
	struct stable_entry e = {.time = sched.time,
				 .tid = t->tid,
				 .op = op->op,
				 .res = op->res,
				 .obj = obj,
				 .arg = op->arg,
				 .stack = intern_stack(t)};
	put(&e);
	header->operations++;
	header->hash = ctl->hash;
}

void schedlog_close(bool orderly)
{
	if (fd < 0)
		return;
	int old = fd;
	fd = -1;
	if (orderly) {
		header->complete = 1;
		os_truncate(old, sizeof(*header) + header->bytes);
	}
	sys_close(old);
}

void schedlog_fork_child(void)
{
	schedlog_close(false);
	ctl->hash = HASH_START;
}
