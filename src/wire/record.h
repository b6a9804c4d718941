/*
 * Recording: what the recording runtime (libheddle-record.so) and `heddle record' share.
 *
 * A recorded program runs by itself; the runtime leaves what it saw in two files that both sides
 * map.  Everything is in the page cache the moment it is written, so whatever ends the program
 * (a signal, _exit, SIGKILL) loses nothing.  The control file has a fixed layout:
 *
 *	0			struct record_ctl
 *	RECORD_THREADS_AT	struct record_thread[], grown in steps
 *	RECORD_CHUNKS_AT	struct record_chunk[], grown in steps
 *
 * The data file is cut into chunks, each a piece of one stream of one thread; the chunk table says
 * which.  Space is reserved before it is touched: a full disk ends streams (a loss), not the program.
 *
 * Streams of a thread:
 *
 *	BITS	64-bit words.  Directions are shifted in from below, oldest first; the highest set bit
 *		of a word is a sentinel, so 63 bits make a full word and the one under way is valid
 *		at any moment.  A word 0 has not been begun: the stream ends there.  A branch is one
 *		bit; a switch or computed goto with n successors the number of its successor in
 *		record_width(n) bits, highest first; a call through a pointer the number of the
 *		function in the table of functions in RECORD_TARGET_BITS bits.  With the backend
 *		`paths' every word is full and is one entry (wire/record_paths.h).
 *	STAMPS	struct record_stamp.
 *	INPUTS	struct record_input, each followed by its data, padded to 8 bytes.
 *
 * The host never trusts any of it.
 */
#ifndef HEDDLE_WIRE_RECORD_H
#define HEDDLE_WIRE_RECORD_H

#include <stdint.h>

#define RECORD_ENV "HEDDLE_RECORD" /* directory with the two files */
#define RECORD_MAGIC UINT64_C(0x4352454c44444548) /* "HEDDLERC" */
#define RECORD_VERSION 1
#define RECORD_CTL_FILE "control"
#define RECORD_DATA_FILE "data"

#define RECORD_MAX_THREADS 65536u
#define RECORD_MAX_CHUNKS (1u << 18)
#define RECORD_MAX_MODULES 64u
#define RECORD_MAX_NOTES 32u
#define RECORD_MAX_STACK 64u
#define RECORD_TEXT_BYTES 256u
#define RECORD_PATH_NAME_BYTES 512u
#define RECORD_THREADS_AT (1u << 20)
#define RECORD_CHUNKS_AT (16u << 20)
#define RECORD_WORD_BITS 63u
#define RECORD_TARGET_BITS 32u
#define RECORD_TARGET_OUTSIDE UINT32_MAX /* a function that is not in the table */
#define RECORD_NO_THREAD UINT32_MAX

enum record_backend { RECORD_BITS, RECORD_PATHS, RECORD_PT, RECORD_SIM };

enum record_flag {
	RECORD_INPUTS = 1,   /* what came from outside is logged */
	RECORD_RING = 2,     /* streams keep their ends only */
	RECORD_MARK_ALL = 4, /* every point is in the streams */
	RECORD_CHECK_FLAVOR = 8,
};

enum record_failure_kind {
	RECORD_FAIL_NONE,
	RECORD_FAIL_SIGNAL,
	RECORD_FAIL_ABORT,
	RECORD_FAIL_ASSERT,
	RECORD_FAIL_DEADLOCK, /* nothing moved for as long as --hang says */
	RECORD_FAIL_KILLED,   /* by a signal no handler sees */
};

enum record_stream { RECORD_STREAM_BITS, RECORD_STREAM_STAMPS, RECORD_STREAM_INPUTS, RECORD_STREAMS };

enum record_loss {
	RECORD_LOSS_NO_SPACE = 1,   /* no room on the disk */
	RECORD_LOSS_TOO_MANY = 2,   /* threads or chunks */
	RECORD_LOSS_SIGNAL_JUMP = 4, /* a handler was left by longjmp */
	RECORD_LOSS_RING = 8,	    /* the oldest part was overwritten */
};

/* What a stamp was taken at. */
enum record_stamp_kind {
	RECORD_AT_BEGIN = 1, /* of the thread */
	RECORD_AT_END,
	RECORD_AT_CREATE, /* object: number of the new thread */
	RECORD_AT_JOIN,	  /* after it; object: number of the joined thread */
	RECORD_AT_LOCK,	  /* object: address; after it was taken */
	RECORD_AT_UNLOCK, /* before */
	RECORD_AT_WAIT,	  /* before */
	RECORD_AT_WAKE,	  /* after */
	RECORD_AT_SIGNAL, /* before: post, signal, broadcast */
	RECORD_AT_BARRIER,
	RECORD_AT_FLUSH,  /* a chunk was full */
	RECORD_AT_HANDLER, /* a signal handler began; object: number of its stream's thread */
	RECORD_AT_MAX
};

/*
 * Not every operation has a stamp, but every one is counted: creating, joining, taking and releasing
 * a lock, posting and signalling one each; waiting for a condition two (WAIT, WAKE), for a semaphore
 * one (WAKE), at a barrier two (BARRIER twice).  Attempts that fail are not counted.
 */
struct record_stamp {
	uint64_t tsc;
	uint64_t bits;	 /* of the thread's BITS stream that were there */
	uint64_t object;
	uint32_t ops;	 /* operations of the thread before this one: stamps of kind CREATE … BARRIER */
	uint16_t cpu;
	uint16_t kind;	 /* enum record_stamp_kind */
};

enum record_input_kind {
	RECORD_IN_NONE = 0, /* nothing is logged */
#define X(name, number, text) RECORD_IN_##name = number,
#include "wire/inputs.def"
#undef X
	RECORD_IN_MAX = 64
};

enum record_input_flag {
	RECORD_INPUT_FOREIGN = 1, /* called by code that is not instrumented */
	RECORD_INPUT_CUT = 2,	  /* data was longer than what is kept */
};

/* Detail of a call on a stream that is not standard input, or is a file by name. */
#define RECORD_STREAM_OTHER UINT64_MAX

struct record_input {
	uint32_t bytes; /* of the whole record: this, the data, padding to 8 */
	uint32_t data;	/* bytes of data */
	int64_t result;
	/* Descriptor, clock, flags, …; of a call on standard input as a stream: bytes before it. */
	uint64_t detail;
	uint64_t bits;	 /* of the thread's BITS stream that were there */
	int32_t error;	 /* errno afterwards when the result says failure, else 0 */
	uint16_t kind;	 /* enum record_input_kind */
	uint16_t flags;
};

enum record_thread_state {
	RECORD_THREAD_UNUSED,
	RECORD_THREAD_CREATED, /* has not begun */
	RECORD_THREAD_RUNS,
	RECORD_THREAD_ENDED,
	RECORD_THREAD_HANDLER, /* no thread: one execution of a signal handler */
};

struct record_thread {
	uint32_t state;
	uint32_t creator; /* RECORD_NO_THREAD: the first one */
	uint32_t index;	  /* among what the creator created */
	int32_t os_tid;
	uint64_t entry;	    /* address of its function */
	uint64_t begin, end; /* rdtsc; end 0: it had not ended */
	uint64_t waits_on;  /* address of what it waits for, 0: it does not */
	uint32_t waits_at;  /* enum record_stamp_kind */
	uint32_t ops;	    /* synchronisation operations */
	uint32_t loss;	    /* enum record_loss */
	uint32_t lost_chunks; /* chunks that were overwritten (ring) */
	uint64_t position;  /* of a handler: bits of the interrupted thread's stream */
	uint64_t spare[7];
};

struct record_chunk {
	uint64_t at;	/* in the data file */
	uint32_t bytes;
	uint32_t thread;
	uint32_t stream; /* enum record_stream */
	uint32_t ready;	 /* 1: filled in; 0: being made or overwritten */
	uint32_t seq;	 /* in its stream */
	uint32_t used;	 /* bytes, of STAMPS and INPUTS */
};

struct record_failure {
	uint32_t kind; /* enum record_failure_kind; written last */
	uint32_t thread;
	int32_t signal;
	int32_t code; /* si_code */
	uint64_t address;
	uint64_t pc;
	uint32_t depth; /* return addresses, innermost first; stack[0] is pc */
	uint32_t claimed; /* the thread that fails first takes it */
	uint64_t stack[RECORD_MAX_STACK];
	char text[RECORD_TEXT_BYTES];
};

/* An instrumented file in the process. */
struct record_module {
	uint64_t bias;
	uint32_t functions; /* rows of its table of functions */
	uint32_t first;	    /* number of its first one */
	uint64_t low, high; /* of its mapping */
	char path[RECORD_PATH_NAME_BYTES];
};

struct record_ctl {
	uint64_t magic;
	uint32_t version;
	uint32_t pid; /* who may attach */
	uint32_t flags;
	uint32_t backend;
	uint64_t ring;	/* bytes of BITS per thread, 0: no ring */
	uint32_t attached; /* the runtime was there */
	uint32_t forked;   /* children that are not in the recording */
	uint32_t threads;  /* rows used */
	uint32_t chunks;
	uint64_t data;	   /* bytes of the data file given away */
	uint64_t reserved; /* bytes of it that are there */
	uint64_t threads_reserved, chunks_reserved; /* rows that are there */
	uint32_t loss;	   /* enum record_loss, all threads */
	uint32_t module_count;
	uint32_t note_count;
	uint32_t function_count;
	uint64_t progress; /* raised by the watchdog's sampling, see --hang */
	struct record_failure failure;
	struct record_module modules[RECORD_MAX_MODULES];
	char notes[RECORD_MAX_NOTES][RECORD_TEXT_BYTES];
};

/*
 * What a unit says about its points, in section HEDDLE_MARKS_SECTION: this, then one bit per point
 * in words of 64, low bits first.  Only marked points are in the streams.
 */
#define HEDDLE_MARKS_SECTION "heddle_marks"
#define RECORD_MARKS_MAGIC UINT64_C(0x314b52414d444448) /* "HDDMARK1" */

enum record_marks_flag {
	RECORD_MARKS_ALL = 1,	/* every point, for comparison */
	RECORD_MARKS_WHOLE = 2, /* the whole program was looked at */
	RECORD_MARKS_PATHS = 4, /* instrumented for the backend `paths' */
};

struct record_marks {
	uint64_t magic;
	uint64_t canon; /* ir_canon_hash() */
	uint32_t unit;	/* hash of the unit's name, as in its sites */
	uint32_t points;
	uint32_t flags;
	uint32_t words;
};

/* The point whose event has a site (heddle-deps --points). */
#define RECORD_NO_POINT UINT32_MAX
struct record_point {
	uint32_t point;	     /* RECORD_NO_POINT: the site is no branch */
	uint32_t successors; /* 0: a branch of two ways, as one bit */
};

/* Bits that a successor of n takes. */
static inline unsigned record_width(unsigned n)
{
	unsigned bits = 0;

	while (bits < 32 && (UINT64_C(1) << bits) < n)
		bits++;
	return bits;
}

_Static_assert(sizeof(struct record_stamp) == 32, "stamp layout");
_Static_assert(sizeof(struct record_input) == 40, "input layout");
_Static_assert(sizeof(struct record_thread) == 128, "thread layout");
_Static_assert(sizeof(struct record_chunk) == 32, "chunk layout");
_Static_assert(sizeof(struct record_marks) == 32, "marks layout");
_Static_assert(sizeof(struct record_ctl) <= RECORD_THREADS_AT, "the control block fits");

#endif
