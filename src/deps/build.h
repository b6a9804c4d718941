/*
 * The dependence graph under construction: what the parts of this room share.  Private to deps.
 *
 * Nodes.  Every instruction and parameter has a node for its value.  A hook (an event of the guest)
 * has one more for its happening, which its operands and the control over it lead to; what a load
 * returns comes from its place in memory as well, so a load happens independently of what was
 * stored there before.  A stretch of straight code (control.h) has a node that leads to all in it.
 * A function has three: that it runs, what it returns, that it returns.  Every class of places
 * (points.h) has one: stores lead to it, it leads to loads.
 */
#ifndef HEDDLE_DEPS_BUILD_H
#define HEDDLE_DEPS_BUILD_H

#include "deps/graph.h"
#include "deps/points.h"
#include "instr/again.h"

struct deps_unit {
	LLVMModuleRef mod;
	uint32_t first, sites; /* numbers of its sites */
};

struct deps_function {
	LLVMValueRef value; /* its definition */
	uint32_t unit;
	uint32_t runs, result, back;
	bool stays; /* may not return */
};

/* Nodes behind a site. */
struct deps_site {
	uint32_t happens, value; /* DEPS_NO_NODE: no code was found */
};

struct deps_list {
	VEC_FIELDS(uint32_t);
};

struct deps_build {
	struct deps_graph g;
	struct deps_points points;
	VEC(struct deps_unit) units;
	VEC(struct deps_function) functions;
	struct ptrmap function_of; /* definition -> number + 1 */
	VEC(uint32_t) by_name;	   /* functions other units can see, by name */
	struct ptrmap nodes;	   /* value -> node + 1 */
	struct ptrmap stretches;   /* instruction -> node of its stretch + 1 */
	struct ptrmap returns;	   /* call that may not come back -> node "it does" + 1 */
	VEC(uint32_t) places;	   /* node of each class or DEPS_NO_NODE */
	uint32_t thread_results;   /* what functions return to those who wait for their threads */
	struct deps_site *sites;
	uint32_t site_count;
	bool everything; /* something is beyond the analysis (setjmp): all depends on all */
};

/* Nodes for the functions of all units and what is in them; and the end of everything. */
void deps_build_functions(struct deps_build *b);
void deps_build_fini(struct deps_build *b);
/* The node of a value, DEPS_NO_NODE for constants. */
uint32_t deps_build_node(const struct deps_build *b, LLVMValueRef v);
/* The node for a call that may not come back to do so; made when it is new. */
uint32_t deps_build_return(struct deps_build *b, LLVMValueRef call);
/* The node of the places a pointer points to, when classes are final. */
uint32_t deps_build_place(struct deps_build *b, uint32_t class);

/* What a call may lead to. */
enum deps_callee {
	DEPS_CALL_HOOK,
	DEPS_CALL_INSIDE,  /* functions of ours */
	DEPS_CALL_NOTHING, /* arithmetic, marks of the compiler */
	DEPS_CALL_COPY,	   /* memcpy and memmove among private memory */
	DEPS_CALL_PURE,	   /* reads what its arguments point to */
	DEPS_CALL_KNOWN,   /* may also write there, and call functions it is given */
	DEPS_CALL_OPAQUE,  /* anything */
};

/* calls.c: what is called, as numbers of functions of ours appended to *targets. */
enum deps_callee deps_calls_find(struct deps_build *b, LLVMValueRef call,
				 struct deps_list *targets);
/* Whether control may not come back from a call. */
bool deps_calls_stay(struct deps_build *b, LLVMValueRef call);
/* Finds all callees together with all classes of places, then which functions may not return. */
void deps_calls_resolve(struct deps_build *b);
/* For a call that begins a thread: which argument is handed to it; -1 for others. */
int deps_calls_thread_argument(LLVMValueRef call);
/* The same of a function by its name. */
int deps_calls_thread_function(const char *name);
/* How a hook uses what its arguments point to: bits of places read and written. */
struct deps_hook {
	unsigned reads, writes;
};
struct deps_hook deps_calls_hook(const char *name);

/* Whether an instruction is a call in any form. */
bool deps_calls_is(LLVMValueRef instruction);

#endif
