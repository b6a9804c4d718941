/*
 * A whole program under analysis: its code, its bodies and threads, and what pointers point to.
 *
 * A *body* is a function in one calling context: the way of calls from the start of a thread to it.
 * A function that calls itself, directly or not, is one body; so is, per thread, every function
 * once the program has more contexts than a bound.  A *thread* is a call that creates threads, in
 * one body, with one function; all threads made there are one of ours, which then is `many'.  So
 * each context has its own locals and blocks of the heap, and threads made at different places are
 * apart.
 *
 * Targets of calls through pointers become bodies while points-to sets are solved.
 *
 * What is not understood goes into `notes', each of which makes the answer inconclusive.
 */
#ifndef HEDDLE_ANALYZE_WHOLE_H
#define HEDDLE_ANALYZE_WHOLE_H

#include "analyze/points.h"
#include "base/err.h"
#include "base/limit.h"
#include "instr/unit.h"
#include "ir/cfg.h"
#include "ir/ptrmap.h"

#define WHOLE_NONE UINT32_MAX
/* Instead of a call: what runs before the first instruction. */
#define WHOLE_BEFORE ((LLVMValueRef)(uintptr_t)8)

/* A function. */
struct code {
	LLVMValueRef function;
	struct ptrmap number; /* parameter or instruction -> its number + 1 */
	uint32_t values;
	struct cfg cfg;
	bool *cyclic; /* by block of cfg: may run again */
};

/* A call in a body and what it enters. */
struct link {
	LLVMValueRef call; /* NULL: the end of the thread; or WHOLE_BEFORE */
	uint32_t body;
};

struct caller {
	LLVMValueRef call;
	uint32_t body;
};

struct body {
	uint32_t code, thread;
	uint32_t first;		    /* node of value 0 */
	uint32_t result, rest;	    /* nodes: what it returns, variable arguments */
	VEC(struct caller) callers; /* of the same thread; the first is its context */
	VEC(struct link) links;
	bool shared;	  /* several contexts are one */
	bool many;	  /* may run several times in one thread */
	bool called_back; /* by a library function */
};

enum thread_kind { THREAD_MAIN, THREAD_PLAIN, THREAD_HANDLER };

struct thread {
	enum thread_kind kind;
	LLVMValueRef create; /* NULL: the first thread */
	uint32_t body;	     /* that creates it */
	uint32_t parent;     /* thread of that body */
	uint32_t root;	     /* body it runs */
	uint32_t result;     /* node: for who joins it */
	uint32_t handle;     /* object */
	bool many;	     /* may be several threads */
};

/* Something that was not understood. */
struct note {
	const char *kind; /* stable word */
	char *what;
	LLVMValueRef at; /* instruction, NULL: none */
};

enum watch_kind {
	WATCH_CALL,
	WATCH_CALLBACK,
	WATCH_CREATE,
	WATCH_HANDLER,
	WATCH_END,
	WATCH_COPY,
	WATCH_JOIN,
	WATCH_ESCAPE
};

struct watch {
	enum watch_kind kind;
	uint32_t body;
	LLVMValueRef call;
	uint32_t a, b; /* nodes: arguments and so on */
	uint64_t bytes;
};

struct whole {
	LLVMContextRef ctx;
	LLVMModuleRef mod;
	LLVMTargetDataRef layout;
	struct unit unit; /* for names of accesses and assembly */
	struct limit limit;
	struct points points;
	VEC(struct code) codes;
	struct ptrmap code_of; /* function -> its number + 1 */
	VEC(struct body) bodies;
	VEC(struct thread) threads;
	VEC(struct watch) watches;
	struct ptrmap constants;  /* value -> node + 1 */
	struct ptrmap objects;	  /* global or function -> object + 1 */
	VEC(uint32_t) made;	  /* objects of values in bodies, by hash of both */
	struct ptrmap made_first; /* value -> index of the newest of its objects + 1 */
	VEC(uint32_t) made_next;
	uint32_t unknown;      /* location nobody knows more about */
	uint32_t escaped;      /* node: known to code that is not understood */
	uint32_t world;	       /* node: pointers that went through descriptors */
	uint32_t specific;     /* node: values of thread keys */
	uint32_t token;	       /* node: strings that strtok() is in the middle of */
	uint32_t thrown;       /* node: exceptions */
	uint32_t states[12];   /* objects + 1 of outside_states, 0: not asked for yet */
	uint32_t ending;       /* node: functions that run at the end of the process */
	uint32_t foreign;      /* thread: code that is not understood; WHOLE_NONE: none */
	uint32_t visited;      /* bodies whose instructions have their constraints */
	uint64_t instructions; /* of all bodies */
	VEC(struct note) notes;
	bool stopped; /* by the limit */
};

/* Reads the program; ERR_NOT_FOUND when it keeps no bitcode. */
int whole_init(struct whole *w, const char *path, const struct limit *limit, struct err *e);
void whole_fini(struct whole *w);
/* Finds bodies, threads and points-to sets. */
void whole_solve(struct whole *w);

/* The code of a function with a body in this program; WHOLE_NONE: it has none. */
uint32_t whole_code(struct whole *w, LLVMValueRef function);
/* A call (NULL: a thread's end) enters a function. */
uint32_t whole_enter(struct whole *w, uint32_t body, LLVMValueRef call, uint32_t code);
/* A thread starts in a function. */
uint32_t whole_thread(struct whole *w, enum thread_kind kind, uint32_t body, LLVMValueRef call,
		      uint32_t code);

/* May it run several times in a thread? */
bool whole_again(const struct whole *w, uint32_t body, LLVMValueRef i);

/* Code that is not understood may call it, in threads of its own; returns its body. */
uint32_t whole_foreign(struct whole *w, LLVMValueRef function, uint32_t code);

/* The node of a value in a body. */
uint32_t whole_node(struct whole *w, uint32_t body, LLVMValueRef v);
/* The object a value makes in a body; *fresh says whether it is new. */
uint32_t whole_made(struct whole *w, enum object_kind kind, uint32_t body, LLVMValueRef v,
		    bool *fresh);
uint32_t whole_global(struct whole *w, LLVMValueRef global);
/* The object of one of outside_states. */
uint32_t whole_state(struct whole *w, unsigned state);
void whole_note(struct whole *w, const char *kind, const char *what, LLVMValueRef at);
/* Whoever holds watch.a tells watch(). */
void whole_watch(struct whole *w, uint32_t node, struct watch watch);

/* Constraints of one instruction (values.c), of a call (calls.c), of an outside one (outside.c). */
void whole_value(struct whole *w, uint32_t body, LLVMValueRef i);
void whole_call(struct whole *w, uint32_t body, LLVMValueRef call);
void whole_call_function(struct whole *w, uint32_t body, LLVMValueRef call, LLVMValueRef f);
void whole_outside(struct whole *w, uint32_t body, LLVMValueRef call, const char *name);
/* A location came to a node that is watched (calls.c). */
void whole_told(void *arg, uint32_t number, uint32_t loc);
/* Does the function get a copy of what its argument points to? */
bool whole_by_value(LLVMValueRef f, unsigned parameter);
/* The node's locations become known to code that is not understood. */
void whole_escape(struct whole *w, uint32_t node);

static inline LLVMValueRef whole_function(const struct whole *w, uint32_t body)
{
	return w->codes.items[w->bodies.items[body].code].function;
}

#endif
