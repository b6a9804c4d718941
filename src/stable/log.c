#include "stable/log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/mem.h"
#include "stable/symbols.h"

#define LOG_LIMIT ((size_t)8 << 30)
#define ENTRY sizeof(struct stable_entry)

static const struct {
	const char *name, *letter;
} operations[STABLE_OP_COUNT] = {
#define LETTER_NONE ""
#define LETTER_MUTEX "m"
#define LETTER_COND "c"
#define LETTER_RWLOCK "rw"
#define LETTER_SEM "s"
#define LETTER_BARRIER "b"
#define LETTER_SPIN "sp"
#define LETTER_ONCE "o"
#define LETTER_THREAD "T"
#define LETTER_SOBA "g"
#define LETTER_FUTEX "f"
#define LETTER_STATE "st"
#define LETTER_CHANNEL "ch"
#define X(NAME, text, kind) {text, LETTER_##kind},
#include "wire/stable_ops.def"
#undef X
};

const char *stable_log_op_name(uint32_t op)
{
	return op < STABLE_OP_COUNT ? operations[op].name : "?";
}

const char *stable_log_kind_letter(uint32_t op)
{
	return op < STABLE_OP_COUNT ? operations[op].letter : "";
}

static int define_module(struct stable_log *log, const struct stable_entry *d, const char *text,
			 size_t left, struct err *e)
{
	if (d->arg > left || d->arg > 4096 || d->obj >= 4096)
		return err_set(e, ERR_FORMAT, "a module name reaches beyond the end");
	if (d->obj >= log->module_count) {
		size_t count = d->obj + 1u;
		log->modules = xrealloc(log->modules, count, sizeof(*log->modules));
		for (size_t i = log->module_count; i < count; i++)
			log->modules[i] = NULL;
		log->module_count = count;
	}
	free(log->modules[d->obj]);
	log->modules[d->obj] = xstrndup(text, d->arg);
	return 0;
}

static int define_stack(struct stable_log *log, const struct stable_entry *d, const char *frames,
			size_t left, struct err *e)
{
	if (d->arg > 64 || d->arg * sizeof(struct stable_frame) > left)
		return err_set(e, ERR_FORMAT, "a stack reaches beyond the end");
	/* Ids are given out one after the other. */
	if (d->stack != log->stack_count)
		return err_set(e, ERR_FORMAT, "stack %u is out of order", d->stack);
	log->stacks = xrealloc(log->stacks, log->stack_count + 1, sizeof(*log->stacks));
	log->stacks[log->stack_count].frames = (const struct stable_frame *)frames;
	log->stacks[log->stack_count++].count = d->arg;
	return 0;
}

static int check_op(const struct stable_log *log, const struct stable_entry *op, struct err *e)
{
	if (op->op >= STABLE_OP_COUNT)
		return err_set(e, ERR_FORMAT, "unknown operation %u", op->op);
	if (op->stack >= log->stack_count)
		return err_set(e, ERR_FORMAT, "stack %u is not defined", op->stack);
	return 0;
}

/* Takes the entry at *at; moves *at behind it and its text. */
static int take(struct stable_log *log, size_t *at, size_t end, struct err *e)
{
	const struct stable_entry *d = (const struct stable_entry *)(log->bytes + *at);
	const char *behind = log->bytes + *at + ENTRY;
	size_t left = end - *at - ENTRY, extra = 0;
	int rc;
	if (d->op == STABLE_DEF_MODULE) {
		rc = define_module(log, d, behind, left, e);
		extra = d->arg;
	} else if (d->op == STABLE_DEF_STACK) {
		rc = define_stack(log, d, behind, left, e);
		extra = (size_t)d->arg * sizeof(struct stable_frame);
	} else {
		rc = check_op(log, d, e);
		log->ops[log->op_count++] = d;
	}
	if (rc == 0)
		*at += ENTRY + (extra + ENTRY - 1) / ENTRY * ENTRY;
	return rc;
}

static int parse(struct stable_log *log, size_t bytes, struct err *e)
{
	if (bytes < sizeof(log->header))
		return err_set(e, ERR_FORMAT, "not a schedule log");
	memcpy(&log->header, log->bytes, sizeof(log->header));
	if (log->header.magic != STABLE_LOG_MAGIC)
		return err_set(e, ERR_FORMAT, "not a schedule log");
	if (log->header.version != STABLE_VERSION || log->header.entry_bytes != ENTRY)
		return err_set(e, ERR_VERSION, "schedule log of version %u, expected %d",
			       log->header.version, STABLE_VERSION);
	if (log->header.bytes > bytes - sizeof(log->header) || log->header.bytes % ENTRY)
		return err_set(e, ERR_INCOMPLETE, "the schedule log is truncated");
	size_t end = sizeof(log->header) + log->header.bytes;
	log->ops = xcalloc(log->header.bytes / ENTRY + 1, sizeof(*log->ops));
	log->stacks = xcalloc(1, sizeof(*log->stacks));
	log->stack_count = 1; /* id 0: none */
	for (size_t at = sizeof(log->header); at + ENTRY <= end;) {
		int rc = take(log, &at, end, e);
		if (rc != 0)
			return rc;
	}
	return 0;
}

int stable_log_open(struct stable_log *log, const char *path, struct err *e)
{
	size_t bytes;
	memset(log, 0, sizeof(*log));
	int rc = fs_read_file(path, LOG_LIMIT, &log->bytes, &bytes, e);
	if (rc != 0)
		return rc;
	rc = parse(log, bytes, e);
	if (rc != 0) {
		stable_log_close(log);
		return err_wrap(e, "%s", path);
	}
	return 0;
}

void stable_log_close(struct stable_log *log)
{
	for (size_t i = 0; i < log->module_count; i++)
		free(log->modules[i]);
	free(log->modules);
	free(log->stacks);
	free(log->ops);
	free(log->bytes);
	memset(log, 0, sizeof(*log));
}

static void add_result(const struct stable_entry *op, struct strbuf *to)
{
	switch (op->res) {
	case STABLE_RES_OK:
		break;
	case STABLE_RES_BLOCKED:
		strbuf_add(to, " blocked");
		break;
	case STABLE_RES_SERIAL:
		strbuf_add(to, " serial");
		break;
	case STABLE_RES_FULL:
		strbuf_add(to, " full");
		break;
	case STABLE_RES_RETURN:
		strbuf_add(to, " returns");
		break;
	default:
		strbuf_addf(to, " %s", op->res < 4096 ? strerrorname_np(op->res) : "?");
		break;
	}
}

void stable_log_text(const struct stable_entry *op, struct strbuf *to)
{
	const char *letter = stable_log_kind_letter(op->op);
	strbuf_addf(to, "%6" PRIu64 " T%u %s", op->time, op->tid, stable_log_op_name(op->op));
	if (letter[0])
		strbuf_addf(to, " %s%u", letter, op->obj);
	if (op->op == STABLE_OP_COND_SIGNAL || op->op == STABLE_OP_COND_BROADCAST)
		strbuf_addf(to, " (%u)", op->arg);
	add_result(op, to);
}

void stable_log_stack(const struct stable_log *log, const struct stable_entry *op,
		      const char *indent, struct strbuf *to)
{
	const struct stable_stack *s = &log->stacks[op->stack];
	for (uint32_t i = 0; i < s->count; i++) {
		const struct stable_frame *f = &s->frames[i];
		const char *module = f->module < log->module_count ? log->modules[f->module] : NULL;
		strbuf_add(to, indent);
		stable_symbols_code(module, f->offset, to);
		strbuf_add_char(to, '\n');
	}
}

static bool is_hint(const struct stable_entry *op)
{
	return op->op >= STABLE_OP_SOBA_INIT && op->op <= STABLE_OP_PCS_EXIT;
}

static size_t skip_hints(const struct stable_log *log, size_t at, bool with_hints)
{
	while (!with_hints && at < log->op_count && is_hint(log->ops[at]))
		at++;
	return at;
}

static bool same(const struct stable_entry *a, const struct stable_entry *b, bool with_hints)
{
	return a->tid == b->tid && a->op == b->op && a->res == b->res && a->obj == b->obj &&
	       a->arg == b->arg && (!with_hints || a->time == b->time);
}

size_t stable_log_difference(const struct stable_log *a, const struct stable_log *b,
			     bool with_hints, size_t *at_b)
{
	size_t i = 0, j = 0;
	for (;; i++, j++) {
		i = skip_hints(a, i, with_hints);
		j = skip_hints(b, j, with_hints);
		*at_b = j;
		if (i >= a->op_count && j >= b->op_count)
			return SIZE_MAX;
		if (i >= a->op_count || j >= b->op_count || !same(a->ops[i], b->ops[j], with_hints))
			return i;
	}
}
