/*
 * The recording runtime: libheddle-record.so in somebody else's process.
 *
 * It keeps, per thread and in shared mappings, the ways the thread took (wire/record.h).  The code
 * that heddle cc put into the program writes the bits itself, through heddle_record_at; the runtime
 * gives it words, notes threads, times, inputs and how the process fails.
 *
 * Rules: no malloc, no stdio, no locale; originals of what we interpose only through
 * guest/os/real.h; errno is preserved; nothing is printed and nothing ends the program.  On trouble
 * a thread's words go to a sink, and the loss is noted in the control block.  There are no locks:
 * every shared counter is one atomic addition, so everything here may run in a signal handler,
 * before main and in the child of a fork (which records nothing).
 */
#ifndef HEDDLE_GUEST_RECORD_RECORD_H
#define HEDDLE_GUEST_RECORD_RECORD_H

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/record.h"

#define RECORD_EXPORT __attribute__((visibility("default")))
#define RECORD_RING_SLOTS 8u
#define REC_STACK_BYTES 65536 /* alternate stacks for our signal handler */

/* Where a stream of a thread goes on. */
struct rec_stream {
	uint8_t *map; /* the chunk under way, NULL: none yet */
	struct record_chunk *row;
	uint32_t bytes, used;
	uint32_t seq;	 /* of the next chunk */
	uint64_t before; /* bits in chunks before this one */
};

struct rec_thread {
	struct rec_stream streams[RECORD_STREAMS];
	struct record_chunk *ring[RECORD_RING_SLOTS];
	struct record_thread *row; /* NULL: not recorded */
	uint32_t id, children, ops;
	uint32_t handlers; /* signal handlers under way */
	uint32_t handled;  /* that it ran */
	void *stack;	   /* alternate stack we gave it */
	bool closed;
};

/* The word under way.  Never NULL. */
extern __thread uint64_t *heddle_record_at RECORD_EXPORT;
extern __thread struct rec_thread rec_self;
/* NULL when nothing is recorded. */
extern struct record_ctl *rec_ctl;

/* init.c */
void rec_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* stream.c */
void rec_stream_init(const char *dir);
/* The thread's BITS stream begins; false: it goes to the sink. */
bool rec_stream_begin(struct rec_thread *t);
uint64_t rec_stream_bits(const struct rec_thread *t);
/* Appends to STAMPS or INPUTS; false: lost. */
bool rec_stream_add(struct rec_thread *t, enum record_stream s, const void *bytes, uint32_t n);
void rec_loss(struct rec_thread *t, uint32_t loss);
void rec_sink(struct rec_thread *t);
/* A new row of the table of threads, its number in *id; NULL: too many. */
struct record_thread *rec_row(uint32_t *id);

/* secret.c: before there are threads; then as rec_stream_add() to INPUTS, without secrets. */
void rec_secret_init(void);
bool rec_secret_write(const void *data, uint32_t bytes);

/* input.c: what a call gave. */
struct rec_answer {
	uint16_t kind; /* enum record_input_kind */
	int64_t result;
	uint64_t detail;
	const void *data;
	uint64_t bytes;
	const void *caller; /* inside of whom it was called */
	bool failed;	    /* errno counts */
};

#define REC_CALLER __builtin_return_address(0)
void rec_input_note(const struct rec_answer *a);

/* name.c: the descriptor a->result was opened by that name; or it failed. */
void rec_input_opened(struct rec_answer *a, const char *path);

/* signal.c: a handler begins; where it may be written is the handler's own log. */
void rec_signal_handled(const siginfo_t *info, const void *handler);

/* sync.c */
void rec_stamp(struct rec_thread *t, enum record_stamp_kind kind, uint64_t object);

/* thread.c */
void rec_thread_first(void);
void rec_thread_stop(void);

/* fail.c */
void rec_fail_init(void);
void rec_fail_stack(struct rec_thread *t);

/* coop.c: orders of accesses, when the directory has a file for them. */
void rec_coop_init(const char *dir);
void rec_coop_stop(void);

/* target.c */
bool rec_target_instrumented(const void *address);

static inline uint64_t rec_tsc(uint32_t *cpu)
{
	uint32_t low, high, aux;

	__asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(aux));
	*cpu = aux & 0xfff; /* Linux keeps the number of the core there */
	return (uint64_t)high << 32 | low;
}

#endif
