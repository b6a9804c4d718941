/*
 * Schedule logs written by the runtime of heddle stable, read back and compared.  The file is
 * input: lengths and references are checked before use.
 */
#ifndef HEDDLE_STABLE_LOG_H
#define HEDDLE_STABLE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "wire/stable.h"

struct stable_stack {
	const struct stable_frame *frames;
	uint32_t count;
};

struct stable_log {
	char *bytes; /* the whole file */
	struct stable_log_header header;
	const struct stable_entry **ops;
	size_t op_count;
	struct stable_stack *stacks; /* by id */
	size_t stack_count;
	char **modules; /* by id; NULL where undefined */
	size_t module_count;
};

int stable_log_open(struct stable_log *log, const char *path, struct err *e);
void stable_log_close(struct stable_log *log);

/* One operation as a line without its end: "     7 T1 lock m0 blocked". */
void stable_log_text(const struct stable_entry *op, struct strbuf *to);

/* The stack of an operation, one line per frame, each after indent. */
void stable_log_stack(const struct stable_log *log, const struct stable_entry *op,
		      const char *indent, struct strbuf *to);

/*
 * Index of the first operation in which the schedules differ, SIZE_MAX when they are equal.  Hints
 * and logical time do not count, as in the hash, unless with_hints.
 */
size_t stable_log_difference(const struct stable_log *a, const struct stable_log *b,
			     bool with_hints, size_t *at_b);

/* Name of an operation, "?" when unknown. */
const char *stable_log_op_name(uint32_t op);
/* Letter of the kind of its object, "" when it has none. */
const char *stable_log_kind_letter(uint32_t op);

#endif
