/*
 * A small language of concurrent programs, to check exploration against exhaustive enumeration.
 *
 *   shared x, y=1, n[2];            shared variables, 0 unless given; anything else is a local
 *   thread { x = 1; a = y; }        statements as in C: assignment, if, while, break, goto, label:
 *   thread { lock(m); n[a] = x + 1; unlock(m); fence; b = add(x, 1); c = xchg(x, 2);
 *            d = cas(x, 0, 1); assert(a == 1); assume(b < 2); stop; error; k++; }
 *
 *   late thread { ... }             begins when some thread does fork(n), n counted from 0; join(n)
 *                                   waits for its end; only `late' threads have an end event
 *
 * Each evaluation of a shared variable is one read, left to right, && and || cut short as in C.
 * `stop' ends the thread, a false `assume' does so too; `error' and a false `assert' mark the run.
 *
 * Programs compile to a stack code; a thread stops before each shared operation, so everything
 * between two of them is one step.
 */
#ifndef MINI_H
#define MINI_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

#define MINI_THREADS 8
#define MINI_VARS 24
#define MINI_LOCKS 6
#define MINI_LOCALS 16
#define MINI_STACK 12
#define MINI_BUFFER 24

enum mini_code {
	MINI_PUSH,  /* arg */
	MINI_LOCAL, /* push local arg */
	MINI_SET,   /* local arg = pop */
	MINI_POP,
	MINI_INC, /* push local arg, then increment it */
	MINI_ADD,
	MINI_SUB,
	MINI_MUL,
	MINI_EQ,
	MINI_NE,
	MINI_LT,
	MINI_LE,
	MINI_GT,
	MINI_GE,
	MINI_NOT,
	MINI_JUMP,
	MINI_JZERO, /* pop, jump to arg when 0 */
	MINI_ASSERT,
	MINI_ASSUME,
	MINI_ERROR,
	MINI_STOP,
	/* Shared operations; for variables arg is the base, an index is popped when `indexed'. */
	MINI_READ,
	MINI_WRITE, /* pops the value, then the index */
	MINI_FETCH_ADD,
	MINI_XCHG,
	MINI_CAS, /* pops desired, expected; pushes the old value */
	MINI_LOCK,
	MINI_UNLOCK,
	MINI_FENCE,
	MINI_FORK, /* thread arg */
	MINI_JOIN,
	MINI_END,
};

struct mini_instr {
	uint8_t code;
	bool indexed;
	int32_t arg;
};

struct mini_program {
	unsigned threads, vars, locks;
	int32_t initial[MINI_VARS];
	char var_names[MINI_VARS][12];
	char lock_names[MINI_LOCKS][12];
	bool late[MINI_THREADS];
	unsigned sizes[MINI_VARS]; /* of the array that begins here, else 0 */
	struct {
		VEC_FIELDS(struct mini_instr);
	} code[MINI_THREADS];
};

/* 0, or -1 with a message naming the place in text. */
int mini_parse(struct mini_program *p, const char *text, char *message, size_t bytes);
void mini_free(struct mini_program *p);

#endif
