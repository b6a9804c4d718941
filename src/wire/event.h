/*
 * One event as the guest logs it and as a bundle keeps it.
 *
 * tid   number of the thread in creation order in this execution; main is 0.
 * tix   index of the operation in its thread (counts every event of that thread).  The WRITE that
 *       commits a buffered store carries the tix of its ISSUE: that is how the two are matched.
 * addr  address, or descriptor for IO.  Controlled runs have fixed addresses, so the same schedule
 *       gives the same numbers on every engine.
 * value what was read or written (low 8 bytes); see events.def for the other kinds.
 * site  index into the site table, SITE_NONE when unknown.
 * size  of an access in bytes; of operations that wait: SYNC_TIMED when they may expire; of
 *       BARRIER_ARRIVE: SYNC_LAST when it completes the barrier; of SEM_TRYWAIT: SYNC_LOOK when it
 *       only looks.
 * aux   second operand, see events.def.
 */
#ifndef HEDDLE_WIRE_EVENT_H
#define HEDDLE_WIRE_EVENT_H

#include <stdint.h>

enum event_kind {
#define X(name, number, text, class) EVENT_##name = number,
#include "wire/events.def"
#undef X
	EVENT_KIND_MAX = 112
};

#define SITE_NONE UINT32_MAX
#define THREAD_NONE UINT16_MAX

struct wire_event {
	uint64_t addr;
	uint64_t value;
	uint32_t site;
	uint32_t tix;
	uint32_t aux;
	uint16_t tid;
	uint8_t kind;
	uint8_t size;
};

enum wire_sync_size { SYNC_TIMED = 1, SYNC_LAST = 1, SYNC_LOOK = 2 };

/* C11 order in the low 3 bits of `aux' for READ, WRITE, RMW, FENCE; plain accesses have PLAIN. */
enum wire_order {
	ORDER_PLAIN = 0,
	ORDER_RELAXED = 1,
	ORDER_CONSUME = 2,
	ORDER_ACQUIRE = 3,
	ORDER_RELEASE = 4,
	ORDER_ACQ_REL = 5,
	ORDER_SEQ_CST = 6,
};

/* What an IO event did with its descriptor. */
enum wire_io {
	IO_READ = 1,
	IO_WRITE,
	IO_ACCEPT,
	IO_CONNECT,
	IO_POLL,   /* poll, select, epoll_wait; addr = the epoll descriptor or 0 */
	IO_CHILD,  /* waiting for a child process */
	IO_SIGNAL, /* waiting for a signal */
};

enum wire_obj {
	OBJ_MUTEX = 1,
	OBJ_RWLOCK,
	OBJ_SPIN,
	OBJ_COND,
	OBJ_SEM,
	OBJ_BARRIER,
	OBJ_ONCE,
	OBJ_FUTEX,
	OBJ_THREAD,
};

/*
 * One scheduling choice.  A schedule is a sequence of them and determines an execution.
 *
 * RUN      thread `tid' performs its pending operation; repeated `arg' times in a row (arg >= 1).
 * FLUSH    the head of store queue number `arg' of thread `tid' reaches memory (TSO: arg is 0;
 *          PSO: queues numbered by the age of their head among the non-empty ones of the thread).
 * TIMEOUT  the timed operation `tid' waits in expires.
 * PICK     an internal choice (which waiter a signal wakes, …) took alternative `arg'.
 *
 * Two more can be followed but are never recorded; they name events instead of counting steps:
 * UNTIL    thread `tid' runs until its event with tix `arg' has happened.
 * COMMIT   the store that thread `tid' issued as event `arg' reaches memory.
 * Stores that such a schedule does not name reach memory when they are in the way of one that is,
 * or of an operation that waits for them.  A PICK stands before the UNTIL of the event that
 * makes the inner choice.
 */
enum choice_kind {
	CHOICE_RUN = 1,
	CHOICE_FLUSH = 2,
	CHOICE_TIMEOUT = 3,
	CHOICE_PICK = 4,
	CHOICE_UNTIL = 5,
	CHOICE_COMMIT = 6,
};

struct wire_choice {
	uint8_t kind;
	uint8_t zero;
	uint16_t tid;
	uint32_t arg;
};

_Static_assert(sizeof(struct wire_event) == 32, "event layout");
_Static_assert(sizeof(struct wire_choice) == 8, "choice layout");

#endif
