/*
 * An order of a symbolic trace that fails as recorded, or why there is none.
 *
 * The order solver proposes an order; it is carried out (sim.h); what it breaks is added to the
 * formula (encode.h); and so on.  The first proposal follows the times of the recording.  Values
 * are found by evaluation along the order, never by the solver.
 */
#ifndef HEDDLE_SOLVE_STRACE_SOLVE_H
#define HEDDLE_SOLVE_STRACE_SOLVE_H

#include "base/limit.h"
#include "base/strbuf.h"
#include "solve/strace/encode.h"

struct strace_counts {
	uint64_t vars;	/* one per read, write and synchronisation operation */
	uint64_t total; /* all of the families below */
	uint64_t rw, path, sync, order;
};

struct strace_solve_opts {
	enum wire_model model;
	bool by_core;	    /* read-write constraints by core, else the plain ones */
	bool no_cores;	    /* forget on which core things happened */
	uint64_t max_rounds; /* 0: no limit */
	const struct limit *limit; /* may be NULL */
	struct solve_backend *(*backend)(const struct solve_formula *f); /* NULL: order */
};

struct strace_solution {
	enum solve_answer answer;
	struct strace_list order; /* SAT: events */
	unsigned families;	 /* UNSAT: bits of enum strace_family_name it rests on */
	bool by_facts;		 /* UNSAT: program order and cores alone contradict each other */
	enum limit_reason over;	 /* UNKNOWN */
	uint64_t rounds, clauses;
};

void strace_solution_fini(struct strace_solution *s);

void strace_solve(const struct strace *t, const struct strace_solve_opts *o,
		 struct strace_solution *out);

/* SC, TSO, PSO: the first that has an order.  out->answer UNSAT: none has. */
void strace_solve_models(const struct strace *t, const struct strace_solve_opts *o,
			struct strace_solution *out, enum wire_model *model);

/* "the recorded paths and the synchronisation": what an answer of no rests on. */
void strace_solution_why(const struct strace_solution *s, struct strbuf *to);

/* What the published encodings amount to when they are written down in full. */
struct strace_counts strace_count(const struct strace *t, const struct strace_solve_opts *o);

/*
 * In how many ways the writes a read may see can be ordered around a pair of it and a write: plain
 * 2^N; by core the product of m + 1 over all cores, and over all but the core of the write.  As
 * base 2 logarithms would be no help in a test, they are numbers; UINT64_MAX when too large.
 */
struct strace_choices {
	uint64_t plain, by_core, exact;
};
struct strace_choices strace_choices(const struct strace *t, uint32_t read, uint32_t part);

#endif
