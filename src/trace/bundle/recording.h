/*
 * A recording: what is known of an execution that heddle did not control.  It is a directory like a
 * bundle (same container, same checks; heddle-recording(5) is the format), but it has no schedule
 * and no values of shared memory: per thread the ways it took at marked points, coarse times, what
 * came from outside; and how it ended.
 *
 * What trace_recording_read() hands back has been checked: thread numbers index `tasks', creators
 * come before what they created, kinds are known, texts end, positions lie inside their streams.
 */
#ifndef HEDDLE_TRACE_RECORDING_H
#define HEDDLE_TRACE_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "trace/bundle/meta.h"
#include "trace/elf/symbols.h"
#include "wire/record.h"

struct trace_input {
	struct record_input head;
	uint8_t *data; /* head.data bytes, NULL when 0 */
};

/* A thread, or one execution of a signal handler. */
struct trace_task {
	struct record_thread row;
	char *entry;	/* name of its function, "" when unknown */
	uint64_t bits;	/* in the stream */
	uint8_t *stream; /* bit i is stream[i / 8] >> (i % 8) & 1 */
	VEC(struct record_stamp) stamps;
	VEC(struct trace_input) inputs;
};

/* A function that a call through a pointer may name: the number in a stream is the index here. */
struct trace_function {
	char *name;    /* symbol */
	uint32_t unit; /* hash of the unit's name */
};

/* Which points of a unit are in the streams. */
struct trace_marks {
	struct record_marks head;
	uint64_t *words;
};

/* Where it failed, as far as the binary tells. */
struct trace_place {
	char *function, *file; /* "" when unknown */
	uint32_t line, column;
};

struct trace_recording {
	struct trace_meta meta; /* tool, program, arguments, environment, binaries; model and seed */
	uint32_t backend;	/* enum record_backend */
	uint32_t flags;		/* enum record_flag */
	uint32_t cores;		/* simulated ones, 0 otherwise */
	uint64_t ring;
	uint32_t loss;	 /* enum record_loss */
	uint32_t forked; /* processes that are not in it */
	int32_t status;	 /* exit status, 128 + n for signal n */
	struct record_failure failure;
	struct trace_place place;
	VEC(struct trace_task) tasks;
	VEC(struct trace_function) functions;
	VEC(struct trace_marks) marks;
	VEC(char *) notes;
	struct trace_symbols symbols; /* of the addresses in failure and tasks */
};

#define TRACE_RECORDING_INIT                                                                       \
	{                                                                                          \
		.meta = {.tool_version = NULL }                                                    \
	}

void trace_recording_fini(struct trace_recording *r);

/* *r must be zeroed; after an error it is zeroed again.  Codes as trace_bundle_read(). */
int trace_recording_read(const char *dir, struct trace_recording *r, struct err *e);

/* Writes it as directory dir, which must not exist; after an error nothing is left. */
int trace_recording_write(const char *dir, const struct trace_recording *r, struct err *e);

/* Is the directory a recording?  False also when it is none of ours. */
bool trace_recording_is(const char *dir);

/* Bit i of a task's stream. */
static inline unsigned trace_task_bit(const struct trace_task *t, uint64_t i)
{
	return t->stream[i / 8] >> (i % 8) & 1;
}

/* The marks of a unit (hash of its name), NULL when there are none. */
const struct trace_marks *trace_recording_marks(const struct trace_recording *r, uint32_t unit);
static inline bool trace_marks_has(const struct trace_marks *m, uint32_t point)
{
	return point < m->head.points && (m->words[point / 64] >> (point % 64) & 1);
}

/* Adds a bit behind a task's stream. */
void trace_task_push(struct trace_task *t, unsigned bit);

/*
 * What a recorder stamps an event of a controlled run as (enum record_stamp_kind), 0: it does not.
 * failed: an attempt in vain.
 */
unsigned trace_stamp_of(unsigned event, bool failed);

/* The name of an input's kind, of a failure's, of a backend. */
const char *trace_input_name(unsigned kind);
/* As what the results of a function are logged; RECORD_IN_NONE: they are not. */
unsigned trace_input_kind(const char *symbol);
const char *trace_record_failure_name(unsigned kind);
const char *trace_record_backend_name(unsigned backend);
const char *trace_record_stamp_name(unsigned kind);

/* The parts, for trace_recording_read() and tests of the decoders. */
struct trace_recording_part {
	unsigned part;
	void (*encode)(const struct trace_recording *r, struct strbuf *to);
	int (*decode)(struct trace_recording *r, const void *bytes, size_t n, struct err *e);
};
extern const struct trace_recording_part trace_recording_parts[];
extern const size_t trace_recording_part_count;

/* The rules between parts. */
int trace_recording_check(const struct trace_recording *r, struct err *e);

#endif
