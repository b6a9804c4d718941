/*
 * The run that was recorded, executed again along its schedule in the machine of symex: the order
 * of synchronisation is the logged one, inputs are unknowns whose values are those of the run. What
 * comes out are the conditions on the input under which the same happens, and every access with the
 * place in the schedule between whose operations it was made.
 */
#ifndef HEDDLE_MEMO_LEARN_FOLLOW_H
#define HEDDLE_MEMO_LEARN_FOLLOW_H

#include "memo/cache.h"
#include "memo/learn/between.h"
#include "stable/log.h"
#include "symex/machine/machine.h"

#define FOLLOW_END UINT32_MAX /* position behind the last operation */

/*
 * An access, by a thread between its operations at `from' and `to' (positions in the schedule count
 * from 1; 0 is before all of them).
 */
struct follow_access {
	uint64_t addr, bytes;
	uint32_t thread, from, to;
	uint32_t followed; /* while the operation at this position was carried out */
	uint32_t site;
	bool write;
	uint32_t between; /* one that other inputs may make, there (between.h); 0: it was made */
};

/* A text that was given: an argument, or the value of a variable. */
struct follow_text {
	uint64_t at;
	const char *text;
	struct memo_input byte; /* its first */
};

struct follow_condition {
	expr_id expr;
	uint32_t between; /* 0: has to hold */
};

struct follow {
	struct symex_program *p;
	VEC(const struct stable_entry *) ops; /* of the schedule */
	bool stands; /* also that threads came to stand at operations, as the log has it */
	struct symex_options options;
	struct symex_trace trace;
	struct machine *m;
	struct machine_values values;
	VEC(struct memo_input) inputs; /* by read of the trace; kind MEMO_KINDS: nobody knows it */
	VEC(uint64_t) given;	       /* their values */
	VEC(struct follow_text) texts;
	VEC(uint64_t) environment; /* addresses of its entries, as they were */
	expr_id hidden;		   /* what stands for them in memory */
	struct memo_given argv;
	VEC(expr_value) computed; /* by expression */
	VEC(uint8_t) known;
	VEC(uint32_t) last;    /* by thread: position of its last operation */
	VEC(uint32_t) pending; /* where the operation it stands at began, 0: it is at none */
	VEC(struct follow_access) accesses;
	VEC(struct follow_condition) conditions;
	struct shapes *shapes;
	VEC(struct between) betweens;
	VEC(struct between_unknown) unknowns; /* by read */
	uint64_t written;		      /* bytes forgotten so far */
	uint32_t to;	/* accesses are before that operation of the thread that goes on */
	uint32_t at;	/* position of the operation that is carried out */
	VEC(bool) over; /* by thread: had its last operation */
	uint64_t steps;
	struct follow_access looked; /* the last access, when it was a read … */
	uint32_t looks;		     /* … and how often it was made with nothing between */
	char why[512];
};

/*
 * 0: followed to the end.  ERR_UNSUPPORTED: with the reason and the place, nothing can be said
 * about other inputs.  stands: the schedule is the whole log, and what a thread did before it came
 * to stand at an operation lies before that, although it is followed only when the operation is
 * carried out: races.h says when the one contradicts the other.
 */
int follow_run(struct follow *f, bool stands, const char *program, const struct stable_log *log,
	       char *const *argv, char *const *envp, struct err *e);
void follow_free(struct follow *f);

/* The number of a read that is no input. */
uint32_t follow_new_read(struct follow *f);

/* "file.c:12 in function". */
void follow_place(const struct follow *f, uint32_t site, char *to, size_t n);

#endif
