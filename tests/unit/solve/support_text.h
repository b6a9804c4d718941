/*
 * Symbolic traces as text, for tests.
 *
 *   init x=1 y=2                     cells and their first values (others begin with 0)
 *   T0: fork 1; W z 0; R x a; W x a+1; U c d d+1; fence; lock m; unlock m; ...
 *   T1: R z c; path c==1; bug a+1!=c
 *   stuck T0 lock b
 *
 * Operations: R cell name, W cell expr, RW cell name expr (one step), WR (release store), WT (through),
 * fence, fork N, join N, begin, end, lock M, trylock M (in vain), unlock M, rdlock, wrlock, rwunlock,
 * wait C M, wake C M, signal C, broadcast C, arrive B N, leave B, take S N, give S N, oncebegin O,
 * onceend O, oncepass O.  "@C:I/S" after an operation: core, place on it, segment; "~N": time.
 * Expressions: reads by name, numbers, + - * == != < && || and parentheses.
 */
#ifndef SUPPORT_TEXT_H
#define SUPPORT_TEXT_H

#include "solve/strace/strace.h"

enum text_op { TEXT_NUMBER, TEXT_READ, TEXT_ADD, TEXT_SUB, TEXT_MUL, TEXT_EQ, TEXT_NE, TEXT_LT,
	       TEXT_AND, TEXT_OR };

struct text_expr {
	enum text_op op;
	uint32_t a, b;
	uint64_t value; /* NUMBER; READ: its number */
};

struct text_names {
	VEC_FIELDS(char *);
};

struct text_trace {
	struct strace t;
	VEC(struct text_expr) exprs;
	VEC(uint32_t) reads; /* of the expression asked for last */
	struct text_names read_names, cells, objects;
};

/* Parses and seals; fails the test when the text is wrong. */
void text_parse(struct text_trace *x, const char *text);
void text_init(struct text_trace *x);
void text_seal(struct text_trace *x);
void text_fini(struct text_trace *x);

/* For tests that make traces themselves. */
uint32_t text_expr(struct text_trace *x, enum text_op op, uint32_t a, uint32_t b, uint64_t value);
uint64_t text_eval(const struct text_trace *x, uint32_t expr, const uint64_t *reads);

/* "1 2 7": tags of the events in that order; to compare schedules. */
uint32_t text_read(const struct text_trace *x, const char *name);

#endif
