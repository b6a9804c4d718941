/*
 * The machine: threads with frames, a memory each (or one for all), and what they did.
 * Private to symex; those who follow one real run, event by event, use it too.
 *
 * A thread runs until it has recorded an event, or has ended.  Functions of the library are models
 * (library.h): they may record events, ask the source, call back into the program, and be entered
 * again when the thread goes on.
 */
#ifndef HEDDLE_SYMEX_MACHINE_H
#define HEDDLE_SYMEX_MACHINE_H

#include <setjmp.h>
#include <stdlib.h>

#include "symex/code/program.h"
#include "symex/symex.h"

#define MACHINE_ARGS 24
#define MACHINE_LOCALS 16

struct machine_thread;

/* A call of a model. */
struct library_call {
	struct machine_thread *t;
	const struct code_call *c; /* NULL: the root */
	struct program_function *f;
	uint32_t site;
	unsigned count; /* arguments */
	uint64_t arg[MACHINE_ARGS];
	expr_id expr[MACHINE_ARGS];
	uint64_t result, result_high;
	expr_id result_expr;
	/* Kept from one entry to the next. */
	uint32_t phase;
	uint64_t local[MACHINE_LOCALS];
	void *data; /* freed at the end */
	/* LIBRARY_CALL: what to call; afterwards its result. */
	uint64_t callee, callee_arg[4];
	unsigned callee_count;
	uint64_t returned;
	expr_id returned_expr;
};

struct machine_frame {
	struct code *code;
	uint32_t pc, base;
	const struct code_call *call; /* of the caller; NULL: called by a model, or the root */
	uint64_t sp;		      /* height of the stack before it */
	uint32_t locals;	      /* number of local variables before it */
	uint32_t model;		      /* number of models running before it */
	uint64_t va_regs, va_more;
};

struct machine_local {
	uint64_t base, bytes;
	uint32_t serial; /* no two locals of a machine have the same */
};

/* A store that has not reached memory yet; only with one memory for all. */
struct machine_store {
	uint64_t addr, value;
	uint32_t bytes, tix;
};

enum machine_state { THREAD_RUNS, THREAD_OVER };

struct machine_caught {
	uint64_t object;
	uint32_t handlers;
};

struct machine_thread {
	uint32_t tid, parent, children;
	uint64_t key; /* as the guest makes it, for hidden cells */
	enum machine_state state;
	uint64_t *regs;
	expr_id *exprs;
	size_t room;
	VEC(struct machine_frame) frames;
	VEC(struct library_call) models;
	VEC(struct machine_local) locals;
	struct mem_space *space, own;
	uint64_t sp;
	uint64_t heap; /* next free address of its own blocks */
	uint32_t allocations;
	uint32_t tix;
	uint32_t at_site, last_site;
	/* Where the guest's scheduler was asked last; an end of the process is told there. */
	uint32_t announced;
	uint64_t exception; /* in flight: address of the object */
	uint32_t selector;
	VEC(struct machine_caught) caught;
	uint64_t rethrown;
	uint64_t result;
	expr_id result_expr;
	VEC(uint64_t) keys;   /* thread-specific data */
	VEC(uint64_t) at_end; /* pairs of function and object: destructors of thread_local */
	bool controlled;      /* events are recorded */
	VEC(struct machine_store) stores; /* oldest first */
	bool joined, c11;
	bool native; /* of std::thread: the argument is an object that runs and is deleted */
	uint32_t between, join; /* machine_values.enter; 0: nowhere */
	size_t join_depth;	/* frames there */
	uint32_t waits_for;	/* thread + 1; apart: to be executed before this one goes on */
	uint64_t routine, argument;
};

struct machine_block {
	uint64_t base, bytes;
	uint32_t thread, index;
	bool freed;
	uint32_t freed_by;
	bool early; /* from before control began: of the C library's own heap */
};

/* State of a synchronisation object, as far as one order of execution tells. */
struct machine_object {
	uint64_t addr;
	uint32_t kind;	/* enum wire_obj */
	uint32_t owner; /* thread + 1; 0: nobody */
	uint32_t depth;
	uint32_t type;	/* of a mutex */
	int64_t tokens; /* semaphore, readers, limit of a barrier */
	uint32_t round, arrived, waiters;
	bool destroyed;
	bool maybe; /* held or not: an attempt whose end is unknown */
};

struct machine_jump {
	uint32_t thread, pc, slot;
	size_t frames;
};

/*
 * A run of which the values are known as well as what they depend on: paths, addresses and amounts
 * follow the values, and the conditions say for which others they would be the same.
 */
struct machine_values {
	void *arg;
	/* The value of an expression in this run; false when nobody knows it. */
	bool (*of)(void *arg, expr_id e, expr_value *out);
	/*
	 * A number that a function makes of the text at an address: an unknown that stands for the
	 * whole, so that the bytes need not be what they are.  EXPR_NONE: the bytes have to.
	 * `function' is the name of the library's; base is of strtol.
	 */
	expr_id (*text)(void *arg, const char *function, uint64_t address, int base,
			unsigned width);
	/*
	 * May be NULL.  Where the value of a variable of the environment lies, in *at (0: it is not
	 * set).  False: nobody may know.
	 */
	bool (*variable)(void *arg, const char *name, uint64_t *at);
	/*
	 * May be NULL.  A way is chosen at instruction `at' by an expression.  True: the thread is
	 * *between* from here until its frame comes to *join (leave() then): what it assumes there
	 * is marked with the number *between.
	 */
	bool (*enter)(void *arg, struct machine_thread *t, struct code *code, uint32_t at,
		      uint32_t *join, uint32_t *between);
	void (*leave)(void *arg, struct machine_thread *t);
};

struct machine {
	struct symex_program *p;
	const struct symex_options *o;
	struct symex_trace *trace;
	struct expr_pool *pool;
	struct mem_space shared_space; /* when one memory is for all */
	bool one_space;
	bool symbolic;			     /* there are expressions */
	bool buffered;			     /* stores wait in buffers: a model other than SC */
	const struct machine_values *values; /* NULL: nobody knows what unknowns are */
	VEC(struct machine_thread *) threads;
	VEC(struct machine_block) blocks; /* sorted by base */
	VEC(struct machine_object) objects;
	VEC(uint64_t) handlers; /* triples: kind, function, argument */
	struct sharing *sharing;
	library_fn outside; /* what a function without a model does */
	uint32_t serial;
	struct symex_event unkept; /* the last marker, when nobody wants them */
	struct machine_wanted {
		uint8_t *state; /* by point: 0 not asked yet, 1 no, 2 yes */
		uint32_t count;
	} * wanted;	 /* by unit */
	jmp_buf *escape; /* out of a model that cannot go on */
	bool process_over;
	int exit_status;
	uint64_t out_bytes;
	uint64_t instructions, allocated;
	uint64_t environ_at;
	uint64_t main_args[3];
	VEC(struct machine_jump) jumps;
	struct random_data random;
	char random_state[128];
	struct mem_space first; /* memory when main begins */
	bool has_first;
	size_t destructors_done;
	VEC(uint64_t) keys; /* destructors of thread-specific data */
};

struct machine *machine_new(struct symex_program *p, const struct symex_options *o,
			    struct symex_trace *trace);
void machine_free(struct machine *m);

struct machine_thread *machine_thread_new(struct machine *m, struct machine_thread *parent,
					  uint64_t routine, uint64_t argument);
/* The store that the thread issued as event tix reaches memory; false when there is none. */
bool machine_commit(struct machine *m, uint32_t tid, uint32_t tix);
/* Until something was recorded, the thread waits for another, or is over. */
void machine_step(struct machine *m, struct machine_thread *t);

/* ---- for the parts of the machine ---- */

bool machine_wants_slow(struct machine *m, uint32_t unit, uint32_t point);

/* Whether the source is to be asked at a point whose way is known. */
static inline bool machine_wants(struct machine *m, uint32_t unit, uint32_t point)
{
	const struct machine_wanted *w = &m->wanted[unit];

	if (!m->o->source.wants || point == UINT32_MAX)
		return false;
	if (__builtin_expect(point < w->count && w->state[point], 1))
		return w->state[point] == 2;
	return machine_wants_slow(m, unit, point);
}

struct symex_thread *machine_out(struct machine *m, const struct machine_thread *t);
/* Ends the thread. */
void machine_end(struct machine *m, struct machine_thread *t, enum symex_end end, uint32_t site,
		 const char *format, ...) __attribute__((format(printf, 5, 6)));
void machine_fail(struct machine *m, struct machine_thread *t, uint8_t kind, uint32_t site,
		  uint64_t addr, const char *format, ...) __attribute__((format(printf, 6, 7)));
/* From anywhere inside a model: leaves it, the thread is over. */
_Noreturn void machine_escape(struct machine *m);

/* Records an event of the thread; returns it for more to be filled in until the next one. */
struct symex_event *machine_event(struct machine *m, struct machine_thread *t, enum event_kind kind,
				  uint32_t site, uint64_t addr, uint64_t value, uint32_t aux);
/* Stores reach memory here: an event of its own when there are buffers, else nothing. */
void machine_drain(struct machine *m, struct machine_thread *t);
void machine_condition(struct machine *m, struct machine_thread *t, expr_id e, enum symex_why why,
		       uint32_t site, uint32_t unit, uint32_t point);
enum symex_answer machine_ask(struct machine *m, struct machine_thread *t, struct symex_question *q,
			      uint64_t *out);
/* A fresh unknown that is not memory. */
expr_id machine_unknown(struct machine *m, struct machine_thread *t, unsigned width);
/* The number an expression is to be taken for: known, answered, or the thread ends. */
uint64_t machine_concrete(struct machine *m, struct machine_thread *t, uint64_t value, expr_id e,
			  uint32_t site);
/* What it is in this run (m->values); without an answer the thread ends. */
bool machine_value(struct machine *m, struct machine_thread *t, expr_id e, uint32_t site,
		   expr_value *out);
void machine_note(struct machine *m, struct machine_thread *t, const char *name, uint32_t site);

/* Pushes a frame of f; arguments are words.  Returns false when f has no code. */
void machine_call(struct machine *m, struct machine_thread *t, struct program_function *f,
		  const struct code_call *c, uint32_t caller_base);
/* Enters the model on top of the stack of models (again). */
void machine_model(struct machine *m, struct machine_thread *t);
void machine_push_model(struct machine *m, struct machine_thread *t, struct program_function *f,
			const struct code_call *c, uint32_t caller_base);
/* The callee of a model, with its words as arguments. */
void machine_callback(struct machine *m, struct machine_thread *t, uint64_t callee,
		      const uint64_t *args, unsigned count);
/* Leaves the frame on top with its result. */
void machine_return(struct machine *m, struct machine_thread *t, const uint64_t *words,
		    const expr_id *exprs, uint32_t count);
/* Where memory of this kind begins for a thread. */
uint64_t machine_region(uint64_t base, uint32_t tid);
uint64_t machine_alloca(struct machine *m, struct machine_thread *t, uint64_t bytes, unsigned log);

/* Exceptions: looks for a handler and goes there, or ends the thread. */
void machine_throw(struct machine *m, struct machine_thread *t, uint64_t object, uint64_t type);
void machine_resume(struct machine *m, struct machine_thread *t);

/* Blocks of the heap. */
struct machine_block *machine_block_at(struct machine *m, uint64_t addr);
uint64_t machine_allocate(struct machine *m, struct machine_thread *t, uint64_t bytes,
			  uint64_t align, uint32_t site);
/* Given back, as far as thread t can tell: by anybody in one order, by itself where threads run
 * apart. */
bool machine_block_gone(const struct machine *m, const struct machine_thread *t,
			const struct machine_block *b);
/* Fails the thread when the bytes are not all usable memory. */
bool machine_check(struct machine *m, struct machine_thread *t, uint64_t addr, uint64_t bytes,
		   uint32_t site, bool write);
struct machine_object *machine_object(struct machine *m, uint64_t addr, uint32_t kind);
bool machine_find_object(struct machine *m, uint64_t addr, struct symex_object *out);

/* Whether memory is shared, and notes who touches it. */
bool machine_shared(struct machine *m, struct machine_thread *t, uint64_t addr, uint64_t bytes,
		    bool write);

#endif
