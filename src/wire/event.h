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

/*
 * More bits of `aux' in READ, WRITE, READ_RANGE and WRITE_RANGE.
 *
 * GLUED   belongs to one indivisible step with the event of its thread before it: nobody else could
 *         go on in between.  What a library function does to memory is a chain of such events.
 * HIDDEN  no memory of the program but what somebody else keeps for it (the state of a random
 *         generator, a clock, the result of a thread), at an address made up for it: 8 bytes from
 *         WIRE_HIDDEN_ADDR on.
 * STRING  READ_RANGE: reads up to and including the first NUL byte, wherever that is, but no more
 *         than EVENT_LIMIT(aux) bytes unless that is 0.
 * BLIND   HIDDEN: changes the state without telling the program what it was.
 *
 * The aux of DRAIN is 1 when only the runtime waits there: the program would go on with its stores
 * under way.
 */
enum wire_stack {
	STACK_MADE,
	STACK_RETURNS,
	STACK_ENDS, /* not frames but all else that a thread has of its own, with its last event */
};

#define RMW_WEAK 8u /* of a pending RMW: a weak compare and swap, value = expected */
#define EVENT_GLUED 0x100u
#define EVENT_HIDDEN 0x200u
#define EVENT_STRING 0x400u
#define EVENT_BLIND 0x800u
/* In the value of SPIN_PARK: something was stored on the own stack in that round. */
#define EVENT_PARK_STORED (UINT64_C(1) << 63)
#define EVENT_LIMIT(aux) ((aux) >> 12)
#define EVENT_LIMIT_MAX 0xfffffu
#define WIRE_HIDDEN_ADDR UINT64_C(0x6d0000000000)
#define WIRE_HIDDEN_BYTES (UINT64_C(1) << 40)

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

/* Whether the RMW event shows, in the bits it has, that the value was the same before. */
static inline int rmw_keeps(uint64_t value, uint32_t aux)
{
	return value == aux >> 3;
}

/* What an IO event did with its descriptor. */
enum wire_io {
	IO_READ = 1,
	IO_WRITE,
	IO_ACCEPT,
	IO_CONNECT,
	IO_POLL,   /* poll, select, epoll_wait; addr = the epoll descriptor or 0 */
	IO_CHILD,  /* waiting for a child process */
	IO_SIGNAL, /* waiting for a signal */
	IO_SEEK,
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
 * SPURIOUS the operation `tid' stands at ends without a reason: a sleeper wakes up though nobody
 *          woke it, a weak compare and swap fails though the values are equal.
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
	CHOICE_SPURIOUS = 7,
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
