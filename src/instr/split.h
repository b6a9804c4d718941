/*
 * Two bodies of every function.
 *
 * A process is either under heddle from its start to its end or not at all, so a function does not
 * need to ask at each access: it asks once, at its entry.
 *
 *	f		the user's function, optimised as usual; it begins with
 *			"if (heddle_active) return f.heddle(arguments)" (entry.h)
 *	f.heddle	the same function with its accesses going through the guest
 *
 * Taking the address of f always gives f; the active body calls the active bodies of the functions
 * of its module directly.  Everything else of the unit (variables, constants, aliases) exists once.
 *
 * The two bodies come from two modules parsed from the same bitcode.  split_detach() turns the
 * instrumented one into a module of nothing but active bodies, split_join() links it into the other
 * and adds the entries.  A function that must not be changed (naked, a resolver that runs before
 * the program is relocated) has only its plain body.
 */
#ifndef HEDDLE_INSTR_SPLIT_H
#define HEDDLE_INSTR_SPLIT_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "base/err.h"
#include "base/vec.h"

/* One function with two bodies. */
struct split_pair {
	LLVMValueRef function;
	LLVMValueRef active;
};

struct split {
	VEC(char *) names; /* functions that get two bodies */
	VEC(struct split_pair) pairs;
};

/* True when the function may have an active body. */
bool split_wanted(LLVMValueRef function);
/* True when the function decides at load time which function a name means. */
bool split_is_resolver(LLVMValueRef function);
/* Gives every nameless global the same name in both modules. */
void split_name_globals(LLVMModuleRef mod);
/* Leaves only active bodies in the module. */
void split_detach(struct split *s, LLVMModuleRef active);
/* Links active (gone afterwards) into plain and puts the entries in. */
int split_join(struct split *s, LLVMModuleRef plain, LLVMModuleRef active, struct err *e);
void split_fini(struct split *s);

#endif
