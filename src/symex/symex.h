/*
 * Executing a program along a path.
 *
 * symex takes the bitcode that a binary keeps, instruments it as the check flavour does, and
 * executes it in a machine of its own: every event that a controlled run of the binary would record
 * is an event here, with the same kind, the same site and the same place in its thread (tix), so
 * that what is computed from a trace can be replayed by name.
 *
 * Threads are executed one after the other, in the order of their creation.  A thread begins with
 * the memory its creator had at that moment, and sees its own writes, those of threads it has
 * joined, and nothing else.  What two threads may touch without such an order, one of them writing,
 * is *shared*: a read of shared memory returns an unknown, a fresh read number (expr.h), unless the
 * source says what it returned.  Numbers computed from unknowns are expressions; everything else is
 * computed.  Memory that is not shared never becomes unknown.
 *
 * The *source* says what the path is: which way the points of the code went (ir/canon.h), what
 * reads returned, how attempts ended, what came from outside.  It is asked at every point it wants
 * to be asked at, whether or not the machine knows the answer by itself: a source that disagrees
 * with what was computed has another program or another input, and the run ends with
 * SYMEX_END_DIVERGED.  When the machine needs an answer and gets none, the thread ends there with
 * SYMEX_END_UNKNOWN and a reason with its place; never is a guess made.
 *
 * A trace holds, per thread, its events in order; per access its parts, of at most 8 bytes each;
 * the conditions under which this path is taken; and how the thread ended.  A condition is an
 * expression that must not be 0.  The failure of a thread that fails is a condition too: the last
 * one of it, with why = SYMEX_WHY_FAILURE.  (A division whose divisor is unknown asks for the
 * outcome of EVENT_FAILURE; an access through an unknown address asks for the address, and 0
 * fails.)
 *
 * Three uses: values given (the source answers every read: concrete execution), recorded way
 * (reads unknown, points answered), free (points answered by whoever explores, with limits).
 */
#ifndef HEDDLE_SYMEX_SYMEX_H
#define HEDDLE_SYMEX_SYMEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/limit.h"
#include "base/vec.h"
#include "symex/expr.h"
#include "wire/event.h"

#define SYMEX_NONE UINT32_MAX

/* ---- the program ---- */

struct symex_program;

/*
 * Reads, instruments and links the bitcode of an instrumented binary.  ERR_NOT_FOUND when it keeps
 * none, ERR_MISMATCH when bitcode and site table are not of one build.
 */
int symex_program_load(const char *path, struct symex_program **out, struct err *e);
void symex_program_free(struct symex_program *p);

/* Units as their frames lie in the binary; the hash of each is ir_canon_hash(). */
uint32_t symex_program_units(const struct symex_program *p);
uint64_t symex_program_unit_hash(const struct symex_program *p, uint32_t unit);
const char *symex_program_unit_name(const struct symex_program *p, uint32_t unit);
/* The function that lies at an address of the machine, NULL when none does. */
const char *symex_program_function(const struct symex_program *p, uint64_t address);
/* Whether the function, or one it calls, may end in a failed assertion or abort. */
bool symex_program_may_fail(struct symex_program *p, uint64_t address);
/* The address of a function or variable of that name; 0 when there is none. */
uint64_t symex_program_address(const struct symex_program *p, const char *name);

/* ---- the source of the path ---- */

struct sharing;

enum symex_ask {
	SYMEX_ASK_BRANCH,  /* answer 0 or 1 */
	SYMEX_ASK_SWITCH,  /* number of the successor, 0 = default */
	SYMEX_ASK_GOTO,	   /* number of the successor */
	SYMEX_ASK_CALL,	   /* address of the function, as the machine has it */
	SYMEX_ASK_READ,	   /* what a shared read of at most 8 bytes returned */
	SYMEX_ASK_OUTCOME, /* of an attempt (trylock, timed wait, weak exchange): see symex_question
			    */
	SYMEX_ASK_ADDRESS, /* a value to assume for an address that is an expression */
	SYMEX_ASK_INPUT,   /* the result of a call outside; bytes it wrote through
			      symex_question.bytes */
	SYMEX_ASK_PLACE,   /* where a new heap block lies; 0: wherever the machine likes */
};

enum symex_answer {
	SYMEX_ANSWER_NONE, /* no opinion */
	SYMEX_ANSWER_IS,   /* *out is the answer */
	SYMEX_ANSWER_STOP, /* the record of this thread ends here */
};

struct symex_question {
	enum symex_ask ask;
	uint32_t thread;
	uint32_t tix;	      /* events of the thread so far */
	uint32_t unit, point; /* BRANCH, SWITCH, GOTO, CALL */
	uint32_t successors;  /* SWITCH, GOTO: so many there are */
	uint32_t site;	      /* SYMEX_NONE when the place has none */
	bool known;	      /* the machine knows the answer: `value' */
	uint64_t value;
	expr_id expr;  /* what is asked for, when it is not known */
	uint64_t addr; /* READ, OUTCOME: of the memory or object */
	uint64_t size; /* READ: bytes; PLACE: bytes */
	enum event_kind
		kind; /* OUTCOME: the event it would be; the answer is the number returned */
	const char *function; /* INPUT: name */
	const uint64_t *args; /* INPUT: its arguments as words */
	uint8_t *bytes;	      /* INPUT: room for what the call writes, `size' bytes; or NULL */
};

typedef enum symex_answer (*symex_ask_fn)(void *arg, const struct symex_question *q, uint64_t *out);

struct symex_source {
	void *arg;
	symex_ask_fn ask; /* may be NULL: no opinion on anything */
	/* Points to be asked at; NULL: only those the machine does not know.  Asked once per point.
	 */
	bool (*wants)(void *arg, uint32_t unit, uint32_t point);
	/* The run begins again from the start (sharing was found); NULL: nothing to do. */
	void (*restart)(void *arg);
};

/* ---- the trace ---- */

/* At most 8 bytes of an access. */
struct symex_part {
	uint64_t addr;
	uint32_t size;
	uint32_t read;	/* number of the read, SYMEX_NONE when it does not read or reads what is
			   known */
	uint64_t seen;	/* what was read, when known */
	uint64_t value; /* what is written, when `expr' is 0 */
	expr_id expr;	/* what is written */
	bool reads, writes;
};

struct symex_event {
	uint64_t addr;	/* as in wire/event.h */
	uint64_t value; /* the same; 0 where it is an expression */
	uint32_t site, tix, aux;
	uint32_t thread;
	uint8_t kind, size;
	bool shared; /* an access of which some part is shared */
	bool marker; /* takes a tix and says where the thread is: BRANCH, ENTER, … */
	expr_id value_expr, addr_expr; /* 0: concrete */
	uint32_t first, count;	       /* parts */
	uint32_t conditions;	       /* of its thread, made before it */
};

enum symex_why {
	SYMEX_WHY_PATH,
	SYMEX_WHY_ADDRESS, /* an address was assumed */
	SYMEX_WHY_SAFE,	   /* the thread went on: a division was not by zero, an index inside */
	SYMEX_WHY_FAILURE,
};

struct symex_condition {
	expr_id expr;
	uint32_t thread, event; /* number of events of the thread before it */
	uint32_t site, unit, point;
	uint8_t why; /* enum symex_why */
	uint32_t between; /* of whoever knows the values of a run (machine_values) */
};

enum symex_end {
	SYMEX_END_RETURNED, /* or pthread_exit */
	SYMEX_END_EXIT,	    /* the process ended here */
	SYMEX_END_FAILED,
	SYMEX_END_STOPPED, /* the source said so */
	SYMEX_END_BLOCKED, /* waits for ever, as far as one thread can tell */
	SYMEX_END_UNKNOWN, /* see reason */
	SYMEX_END_DIVERGED,
	SYMEX_END_LIMIT,
};

struct symex_thread {
	uint32_t thread, parent;
	uint32_t create_tix; /* of its creation in its parent */
	uint64_t routine, argument;
	enum symex_end end;
	uint8_t failure; /* enum wire_failure_kind */
	uint32_t site;	 /* where it ended */
	uint64_t addr;	 /* of the failure */
	char reason[256];
	VEC(struct symex_event) events;
	VEC(struct symex_condition) conditions;
	uint64_t instructions;
};

/* Something outside that was not modelled: its results are unknown. */
struct symex_note {
	char name[96];
	uint32_t thread, site;
};

struct symex_read {
	uint32_t thread, event, part;
	uint64_t addr;
	uint32_t size; /* bytes; 0: an outcome or input, not memory */
};

struct symex_trace {
	struct expr_pool *pool;
	VEC(struct symex_thread) threads;
	VEC(struct symex_part) parts;
	VEC(struct symex_read) reads;
	VEC(struct symex_note) notes;
	int exit_status;
	struct symex_machine *machine; /* of symex_trace_initial() */
};

struct symex_options {
	struct symex_source source;
	char *const *argv; /* NULL-terminated */
	char *const *envp;
	/* Is the memory shared?  NULL: found out by executing again until nothing new is. */
	bool (*shared)(void *arg, uint64_t addr, uint64_t size);
	void *shared_arg;
	/* What other executions found to be shared is so in this one, and the other way round; NULL
	 */
	struct sharing *known;
	uint64_t max_instructions; /* per thread; 0: no limit */
	const struct limit *limit; /* of the whole; NULL: none */
	uint32_t max_threads;	   /* 0: no limit */
	bool buffered; /* as under a memory model with store buffers: what drains them takes a tix */
	bool markers; /* keep BRANCH, ENTER, … in the trace; they take a tix in any case */
};

/* Nothing is known to be shared yet. */
struct sharing *symex_sharing_new(void);
void symex_sharing_free(struct sharing *s);

/* Executes all threads.  0 when there is a trace, whatever the threads' ends. */
int symex_run(struct symex_program *p, const struct symex_options *o, struct symex_trace *out,
	      struct err *e);
void symex_trace_fini(struct symex_trace *t);

/* The bytes at an address before the first event: of variables their initial value, of blocks 0. */
uint64_t symex_trace_initial(const struct symex_trace *t, uint64_t addr, uint32_t size);

/* What memory an address lies in. */
enum symex_object_kind {
	SYMEX_OBJECT_NONE,
	SYMEX_OBJECT_GLOBAL,
	SYMEX_OBJECT_CONSTANT,
	SYMEX_OBJECT_HEAP,
	SYMEX_OBJECT_STACK,
	SYMEX_OBJECT_TLS,
	SYMEX_OBJECT_FUNCTION,
	SYMEX_OBJECT_OUTSIDE, /* of a library: stdout, a vtable */
};

struct symex_object {
	uint64_t base, bytes;
	enum symex_object_kind kind;
	uint32_t thread, index; /* HEAP: who allocated it, as its n-th; STACK, TLS: whose */
	bool freed;
	const char *name; /* GLOBAL, CONSTANT, FUNCTION, OUTSIDE; else NULL */
};

/* Whether only blocks lie in that part of the address space. */
bool symex_address_is_heap(uint64_t addr);

/* False when it lies in nothing: frames that have returned are gone. */
bool symex_trace_object(const struct symex_trace *t, uint64_t addr, struct symex_object *out);

#endif
