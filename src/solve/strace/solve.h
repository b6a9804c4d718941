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

struct repro_counts {
	uint64_t vars;	/* one per read, write and synchronisation operation */
	uint64_t total; /* all of the families below */
	uint64_t rw, path, sync, order;
};

struct repro_solve_opts {
	enum wire_model model;
	bool by_core;	    /* read-write constraints by core, else the plain ones */
	bool no_cores;	    /* forget on which core things happened */
	uint64_t max_rounds; /* 0: no limit */
	const struct limit *limit; /* may be NULL */
	struct solve_backend *(*backend)(const struct solve_formula *f); /* NULL: order */
};

struct repro_solution {
	enum solve_answer answer;
	struct repro_list order; /* SAT: events */
	unsigned families;	 /* UNSAT: bits of enum repro_family_name it rests on */
	bool by_facts;		 /* UNSAT: program order and cores alone contradict each other */
	enum limit_reason over;	 /* UNKNOWN */
	uint64_t rounds, clauses;
};

void repro_solution_fini(struct repro_solution *s);

void repro_solve(const struct repro_strace *t, const struct repro_solve_opts *o,
		 struct repro_solution *out);

/* SC, TSO, PSO: the first that has an order.  out->answer UNSAT: none has. */
void repro_solve_models(const struct repro_strace *t, const struct repro_solve_opts *o,
			struct repro_solution *out, enum wire_model *model);

/* "the recorded paths and the synchronisation": what an answer of no rests on. */
void repro_solution_why(const struct repro_solution *s, struct strbuf *to);

/* What the published encodings amount to when they are written down in full. */
struct repro_counts repro_count(const struct repro_strace *t, const struct repro_solve_opts *o);

/*
 * In how many ways the writes a read may see can be ordered around a pair of it and a write: plain
 * 2^N; by core the product of m + 1 over all cores, and over all but the core of the write.  As
 * base 2 logarithms would be no help in a test, they are numbers; UINT64_MAX when too large.
 */
struct repro_choices {
	uint64_t plain, by_core, exact;
};
struct repro_choices repro_choices(const struct repro_strace *t, uint32_t read, uint32_t part);

#endif
