/*
 * A symbolic trace as a formula of orders (solve/formula.h), written down as far as it is needed.
 *
 * Facts (facts.h) are fixed edges.  Everything else is added when an order that the solver proposed
 * turned out to break it (sim.h):
 *
 *   sync  the sections of a lock that overlapped must not; a wait came too early, and so on.
 *   rw    a read that matters gets a variable rf(r,w) for every write w it may see, one of which
 * must be true; rf(r,w) that was chosen and did not come true gets the constraints that make it so.
 *         These are the published ones, plain (CLAP) or by core (H3, with the repair for a single
 *         write).
 *   path, bug  a condition that was false must not have the same sources again: a clause over the
 *         links of all reads that it depended on, directly or through what others wrote.  Sources
 *         with a constant value count as one when the constants are equal.
 *
 * Each family has a variable that questions assume, so that an answer of no says which families it
 * rests on.
 */
#ifndef HEDDLE_SOLVE_STRACE_ENCODE_H
#define HEDDLE_SOLVE_STRACE_ENCODE_H

#include "solve/strace/facts.h"
#include "solve/strace/sim.h"
#include "base/lookup.h"
#include "solve/backend.h"

enum strace_family_name {
	STRACE_BY_PATH,
	STRACE_BY_BUG,
	STRACE_BY_SYNC,
	STRACE_BY_RW,
	STRACE_FAMILIES,
};

/* A write that a read may see; part STRACE_NONE: the beginning. */
struct strace_candidate {
	uint32_t part;
	solve_var rf;
	bool enforced;
};

struct strace_active {
	VEC_FIELDS(struct strace_candidate);
	VEC(struct strace_same) values; /* variables val(r,v) */
};

struct strace_same {
	uint64_t value;
	solve_var var;
};

/* "node a comes before node b". */
struct strace_atom {
	uint32_t a, b;
	solve_var var;
};

struct strace_encode {
	const struct strace *t;
	const struct strace_facts *facts;
	bool by_core, buffered;
	struct solve_formula f;
	solve_var family[STRACE_FAMILIES];
	VEC(struct strace_atom) atoms;
	struct lookup by_nodes; /* of atoms */
	struct strace_active *active; /* by read; count 0: nobody asked yet */
	uint64_t clauses[STRACE_FAMILIES];
	struct solve_lits clause; /* in the making */
};

void strace_encode_init(struct strace_encode *x, const struct strace_facts *facts, bool by_core);
void strace_encode_fini(struct strace_encode *x);

/* "event a comes before event b". */
solve_lit strace_encode_before(struct strace_encode *x, uint32_t a, uint32_t b);

/* The order that *s carried out must not come again because of this block. */
void strace_encode_block(struct strace_encode *x, const struct strace_sim *s,
			 const struct strace_block *b, const uint32_t *order);

/* Nor because of this condition. */
void strace_encode_broken(struct strace_encode *x, const struct strace_sim *s, uint32_t condition);

/* Reads whose chosen source did not come true get what makes it so; how many there were. */
size_t strace_encode_enforce(struct strace_encode *x, const struct strace_sim *s,
			     const struct solve_model *m);

/* Writes that read r may see, newest facts considered; appended to *out. */
void strace_encode_candidates(const struct strace_facts *f, bool buffered, uint32_t read,
			      struct strace_list *out);

/* Private to encode*.c: a clause is begun, gets literals, and is added unless its family is off. */
void strace_encode_begin(struct strace_encode *x, enum strace_family_name family);
void strace_encode_add(struct strace_encode *x, solve_lit l);
void strace_encode_end(struct strace_encode *x, enum strace_family_name family);
/* The clause says nothing when the run ends before the condition's thread has gone past it. */
void strace_encode_guard(struct strace_encode *x, const struct strace_condition *c);

#endif
