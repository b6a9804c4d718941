/*
 * From the traces of the path executor (symex/symex.h) to a symbolic trace whose orders can be
 * computed (solve/strace/strace.h).
 *
 * Memory becomes cells: bytes that every access takes together or not at all.  A read of the
 * executor that lies over several cells is put together from the reads of the cells; a write is
 * cut.  Accesses that belong to one indivisible step are one event.
 */
#ifndef HEDDLE_SYMEX_FOLLOW_CONVERT_H
#define HEDDLE_SYMEX_FOLLOW_CONVERT_H

#include "solve/strace/strace.h"
#include "symex/symex.h"

/* A piece of a number: bytes `from' up to from + size of an expression or of a number. */
struct follow_piece {
	expr_id expr; /* 0: value */
	uint64_t value;
	uint32_t from, size;
};

/* A cell's read as a piece of one of the executor's. */
struct follow_read_piece {
	uint32_t read; /* of the executor */
	uint32_t from, size;
};

struct follow_memo {
	uint64_t stamp;
	expr_value value;
};

struct follow_convert {
	struct strace t;
	const struct symex_trace *from;
	VEC(struct follow_piece) pieces;     /* expressions of t are numbers of these */
	VEC(struct follow_read_piece) reads; /* by read of t */
	VEC(struct strace_list) of_read;     /* by read of the executor: reads of t */
	VEC(uint64_t) bounds;		     /* of cells, sorted */
	VEC(uint32_t) cell_at;		     /* by bound: cell that begins there, or STRACE_NONE */
	VEC(struct follow_memo) memo;	     /* by node of the executor: its value in this run */
	uint64_t stamp;
	VEC(expr_id) stack;	 /* scratch */
	struct strace_list deps; /* scratch */
	uint32_t failed;	 /* thread that fails, STRACE_NONE */
	uint32_t may_fail;	 /* the only one that may; STRACE_NONE: any */
	const uint32_t *keep;	 /* struct follow_convert_opts */
	struct strace_list at;	 /* scratch, by event of a thread of the executor: event of t */
};

struct follow_convert_opts {
	uint32_t may_fail;    /* thread that failed, STRACE_NONE when that is not known */
	const uint32_t *keep; /* by thread: events that count; NULL: all */
	bool partly;	      /* threads may end anywhere: more will be known of them later */
	uint32_t only;	      /* the conditions of this thread alone; STRACE_NONE: of all */
	/*
	 * The run ends in this thread, behind the events of it that are kept (strace.until);
	 * of its conditions only the first `conditions' count.  ends is false: in none.
	 */
	bool ends;
	uint32_t end_thread, conditions;
};

/*
 * ERR_UNSUPPORTED with the place in
 * words: a thread did not come to its recorded end, or did what orders cannot express.
 */
int follow_convert(struct follow_convert *x, const struct symex_trace *from,
		   const struct follow_convert_opts *o, struct err *e);
/* A number of t's for an expression of the executor, its conditions for instance. */
uint32_t follow_convert_piece(struct follow_convert *x, expr_id expr);
void follow_convert_fini(struct follow_convert *x);

#endif
