/*
 * Expressions over the values that reads returned.
 *
 * A node is a number of 1 to 128 bits computed from others; the leaves are constants and reads.
 * Equal nodes are one node (hash-consing), a node is younger than its arguments, and what can be
 * computed is: a node other than a constant depends on a read.  expr_id 0 is no expression, which
 * lets the executor say "this value is concrete" with one word.
 *
 * A read is a number the maker of the trace gave; its value is at most 64 bits.  Evaluation takes
 * an array with the value of every read.
 */
#ifndef HEDDLE_SYMEX_EXPR_H
#define HEDDLE_SYMEX_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

typedef uint32_t expr_id;
typedef unsigned __int128 expr_value;

#define EXPR_NONE 0u
#define EXPR_MAX_WIDTH 128

enum expr_op {
#define X(name, text, arguments) EXPR_##name,
#include "symex/expr.def"
#undef X
	EXPR_OPS
};

struct expr_node {
	uint8_t op;
	uint8_t width; /* bits */
	uint16_t aux;
	union {
		expr_id arg[3];
		uint32_t read;
		uint32_t words[3]; /* CONST: 96 low bits; wider ones are concatenations */
	};
};

struct expr_pool;

struct expr_pool *expr_pool_new(void);
void expr_pool_free(struct expr_pool *p);

expr_id expr_const(struct expr_pool *p, unsigned width, expr_value value);
expr_id expr_read(struct expr_pool *p, uint32_t read, unsigned width);
/* op with its arguments (those it has not are 0); aux as the operation says. */
expr_id expr_make(struct expr_pool *p, enum expr_op op, unsigned width, uint16_t aux,
		  const expr_id arg[3]);

/* Short forms. */
expr_id expr_binary(struct expr_pool *p, enum expr_op op, expr_id a, expr_id b);
expr_id expr_not(struct expr_pool *p, expr_id condition);
expr_id expr_extract(struct expr_pool *p, expr_id e, unsigned low, unsigned width);
expr_id expr_concat(struct expr_pool *p, expr_id high, expr_id low);
/* To the width with zeros or the sign, or cut. */
expr_id expr_resize(struct expr_pool *p, expr_id e, unsigned width, bool sign);

const struct expr_node *expr_get(const struct expr_pool *p, expr_id e);
unsigned expr_width(const struct expr_pool *p, expr_id e);
bool expr_is_const(const struct expr_pool *p, expr_id e, expr_value *value);
/* Nodes so far; ids are below it. */
size_t expr_count(const struct expr_pool *p);

/* The value when read i returned reads[i]. */
expr_value expr_eval(struct expr_pool *p, expr_id e, const uint64_t *reads);
/* The reads it depends on, sorted; borrowed until the next call. */
const uint32_t *expr_reads(struct expr_pool *p, expr_id e, size_t *count);

/* One operation on numbers; used by the executor too, so that there is one meaning. */
expr_value expr_compute(enum expr_op op, unsigned width, uint16_t aux, const expr_value arg[3],
			const unsigned widths[3]);
/* The number of a function of mathematics (sin, pow, …), or -1. */
int expr_function(const char *name, unsigned arguments);

void expr_print(const struct expr_pool *p, expr_id e, struct strbuf *to);

#endif
