/*
 * What libheddle-stable.so and heddle share: the control block (one file, mapped by both, so that
 * a crash of the program loses nothing) and the schedule log.
 *
 * Schedule log: struct stable_log_header, then entries of 32 bytes each.  An entry's op tells what
 * it is: an operation of the schedule, or a definition that later entries refer to (a module, a
 * stack), whose text or frames fill the entries that follow it.  Definitions precede their use.
 * All integers are little-endian; program counters are (module, offset), so that two runs with
 * different load addresses compare.
 */
#ifndef HEDDLE_WIRE_STABLE_H
#define HEDDLE_WIRE_STABLE_H

#include <stdint.h>

#define STABLE_LOG_MAGIC UINT64_C(0x676f6c6264656873) /* "shedblog" */
#define STABLE_CTL_MAGIC UINT64_C(0x6c74636264656873)
#define STABLE_VERSION 1

/* The section of functions whose atomic operations are operations of the schedule. */
#define STABLE_ORDERED_TEXT "heddle_ordered"

enum stable_op {
#define X(NAME, text, kind) STABLE_OP_##NAME,
#include "wire/stable_ops.def"
#undef X
	STABLE_OP_COUNT,
	STABLE_DEF_MODULE = 0xfff0, /* obj = module id, arg = bytes of the path that follows */
	STABLE_DEF_STACK = 0xfff1,  /* stack = its id, arg = number of frames that follow */
};

/* Result of an operation: 0, one of these, or an errno value below 4096. */
enum stable_result {
	STABLE_RES_OK = 0,
	STABLE_RES_BLOCKED = 0x8001, /* the turn ended in a wait */
	STABLE_RES_SERIAL = 0x8002,  /* last arriver of a barrier */
	STABLE_RES_FULL = 0x8003,    /* soft barrier complete */
	STABLE_RES_RETURN = 0x8004,  /* back from a wait that was signalled */
};

struct stable_entry {
	uint64_t time;	/* logical time */
	uint32_t tid;	/* logical thread */
	uint16_t op;	/* enum stable_op */
	uint16_t res;	/* enum stable_result or errno */
	uint32_t obj;	/* ordinal within its kind */
	uint32_t arg;	/* threads woken, new thread, barrier size, … */
	uint32_t stack; /* id of a stack defined before; 0 = none */
	uint32_t pad;
};

/* Frames of STABLE_DEF_STACK, two to an entry. */
struct stable_frame {
	uint32_t module; /* UINT32_MAX: none, offset is an absolute address */
	uint32_t pad;
	uint64_t offset;
};

struct stable_log_header {
	uint64_t magic;
	uint32_t version, entry_bytes;
	uint64_t bytes;	     /* of entries behind this header that are valid */
	uint64_t hash;	     /* running schedule hash after the last of them */
	uint64_t operations; /* entries that are operations */
	uint64_t complete;   /* 1 when the program ended orderly */
	uint64_t reserved[10];
};

#define STABLE_TEXT_BYTES 65536
#define STABLE_REGIONS 2048
#define STABLE_SOBAS 64
#define STABLE_FRAMES 12

/* A point of the program as the report needs it: frames of the stack, outermost last. */
struct stable_site {
	uint32_t count, pad;
	uint64_t pc[STABLE_FRAMES];
};

enum stable_wait_kind {
	STABLE_WAIT_NONE,
	STABLE_WAIT_OWNED,   /* a lock; owner says who has it */
	STABLE_WAIT_THREAD,  /* a join */
	STABLE_WAIT_UNOWNED, /* condition variable, semaphore, barrier, … */
};

struct stable_waiter {
	uint32_t tid, op, obj, kind;
	uint32_t owner; /* logical thread holding it, UINT32_MAX when unknown */
	uint32_t in_cycle;
	struct stable_site site;
};

/* Profile of one region: the code between two operations of a thread, named by their callers. */
struct stable_region {
	uint64_t from, to; /* program counters; 0 from = thread start */
	uint32_t from_op, to_op;
	uint64_t count;	      /* times executed */
	uint64_t compute_ns;  /* time spent in it */
	uint64_t blamed_ns;   /* time others waited for it with the turn */
	uint64_t waited_ns;   /* time the operation at its end waited for its turn */
	uint64_t object;      /* last object of the operation at its end */
	uint64_t threads;     /* set of logical threads modulo 64 */
	uint64_t shortest_ns; /* of compute; 0 = not measured yet */
};

struct stable_soba {
	uint64_t site; /* caller of soba_init */
	uint64_t key_ordinal;
	uint64_t size, full, timeouts, gather_turns;
	uint64_t skipped; /* waits that an aligned group was spared */
};

enum stable_flag {
	STABLE_FLAG_STARTED = 1, /* the runtime is active in the program */
	STABLE_FLAG_DEADLOCK = 2,
	STABLE_FLAG_COMPLETE = 4,
	STABLE_FLAG_NONDET = 8, /* some thread left the schedule: network, PCS, signal */
	STABLE_FLAG_PCS = 16,
	STABLE_FLAG_ISOLATION = 32,
	STABLE_FLAG_LOG_FAILED = 64,
	STABLE_FLAG_BASE_TIME = 128, /* an absolute deadline was converted against the clock */
	STABLE_FLAG_LIVE_AT_EXIT = 256,
	STABLE_FLAG_SERIAL = 512,   /* one thread ran at a time */
	STABLE_FLAG_SIGNALS = 1024, /* the program asked for signals that come when they come */
};

/*
 * What happened beside the schedule: two runs with the same hash may differ there.  X(NAME, one,
 * several): how the host names it.
 */
enum stable_loose {
#define X(NAME, one, several) STABLE_LOOSE_##NAME,
#include "wire/stable_loose.def"
#undef X
	STABLE_LOOSE_COUNT
};

struct stable_loose_note {
	uint64_t count;
	uint64_t pc; /* of the first; 0 = unknown */
};

#define STABLE_WAITERS 64
#define STABLE_MODULES 512
#define STABLE_PROGRAMS 256
#define STABLE_PATH 240
#define STABLE_CHILDREN 512

struct stable_module {
	uint64_t base, end;
	char path[STABLE_PATH];
};

enum stable_replay {
	STABLE_REPLAY_NONE,
	STABLE_REPLAY_FOLLOWED, /* so far: replay_at operations */
	STABLE_REPLAY_LEFT,	/* round robin went on behind replay_at */
};

struct stable_ctl {
	uint64_t magic;
	uint32_t version, bytes;
	int32_t owner; /* pid of the process that writes here; 0 = nobody yet */
	uint32_t flags;
	uint64_t hash, time, operations, idle_turns, handoffs, sleeps, nondet, degraded;
	uint32_t threads, peak;
	uint32_t waiters, regions, sobas, modules;
	uint32_t text_bytes, pad;
	int64_t switches_voluntary, switches_involuntary;
	uint32_t urgent;      /* raised when messages are to be shown at once */
	uint32_t child_count; /* processes the program started that have ended orderly … */
	uint64_t child_hash;  /* … the sum of what their hashes come to */
	uint64_t child_operations;
	int32_t child[STABLE_CHILDREN]; /* pids of the others, 0 = free */
	uint32_t replay, replay_at;	/* a schedule that was remembered: enum stable_replay */
	uint32_t programs, pad2;	/* files of processes with several threads */
	char program[STABLE_PROGRAMS][STABLE_PATH];
	struct stable_loose_note loose[STABLE_LOOSE_COUNT];
	struct stable_waiter waiter[STABLE_WAITERS];
	struct stable_soba soba[STABLE_SOBAS];
	struct stable_module module[STABLE_MODULES];
	struct stable_region region[STABLE_REGIONS];
	char text[STABLE_TEXT_BYTES]; /* messages of the runtime, one per line */
};

#endif
