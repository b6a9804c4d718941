/*
 * What else could have happened: the maximal causal model of one history.
 *
 * From a history one can conclude about every program that produced it: a thread whose reads return
 * the same values again does the same again.  A seed is a part of the history in an order of its
 * own that any such program can follow: it is closed under what must happen before, every read in
 * it returns the value it returned, critical sections do not overlap.  The target of a question is
 * one read that shall return another value; it is performed last in its thread.
 *
 * Encoding.  A variable in(e) says that e is in the seed (counted: least models are shortest
 * seeds); the order of the seed is the order of the formula.  Must-happen-before is fixed edges
 * plus in(e) -> in(p) for direct predecessors p.  A read e in the seed has a source: in(e) ->
 * rf(e,w1) or rf(e,w2) …, where rf(e,w) says that w is in, comes before e, and no write of another
 * value is in between.  Under TSO and PSO a load may also see the newest store of its own thread
 * that is not in memory yet.  The target r with value v has a variable of its own that implies its
 * predecessors and a source for v, while in(r) is assumed false: that leaves out everything after
 * it.
 *
 * When it is known on which reads an event depends, a read whose value nothing depends on need not
 * keep it.  Then kept(e) takes the place of in(e) before a source: the target implies kept(r) for
 * the reads it depends on, and rf(e,w) implies kept(r) for those that w depends on.  What else is
 * in the seed for the sake of program order may change when the seed is followed: the caller has to
 * look whether the target returned its value.
 *
 * One session answers many questions about one history; its formula grows by what each target
 * needs, and what the solver learned stays.
 */
#ifndef HEDDLE_SOLVE_CAUSAL_H
#define HEDDLE_SOLVE_CAUSAL_H

#include "solve/backend.h"
#include "solve/history.h"

struct solve_causal_opts {
	unsigned model;	 /* enum wire_model */
	bool forwarding; /* loads may see stores of their own thread that are not in memory yet */
	/* Value of an object before the first write to it. */
	uint64_t (*initial)(void *arg, uint64_t object);
	void *arg;
	struct solve_backend *(*backend)(const struct solve_formula *f); /* NULL: order */
	/*
	 * Whether event e may depend on the value of read r (places in the history; r must happen
	 * before e).  NULL: on all of them.
	 */
	bool (*depends)(void *arg, uint32_t r, uint32_t e);
	void *depends_arg;
	bool target_keeps_all; /* the target depends on every read that must happen before it */
};

struct solve_causal;

/*
 * Events are borrowed; they stand in an order that really happened.  Operations at which threads
 * were blocked in the end may follow.
 */
struct solve_causal *solve_causal_new(const struct solve_event *events, uint32_t n,
				      const struct solve_causal_opts *o);
void solve_causal_free(struct solve_causal *c);

/* What an atomic access that returns the value asked for will write. */
enum solve_effect {
	SOLVE_EFFECT_UNKNOWN, /* nobody may see it */
	SOLVE_EFFECT_NONE,    /* nothing: a compare and swap that fails */
	SOLVE_EFFECT_WRITES,
};

/* Events of a seed, by their places in the history, in the order to perform them. */
struct solve_seed {
	VEC_FIELDS(uint32_t);
};

/* Why a target cannot be had: these of `must' and `avoid' suffice. */
struct solve_conflict {
	struct solve_seed must, avoid;
	bool lasting; /* for as long as the session; otherwise until another target is asked for */
};

struct solve_target {
	uint32_t event;		  /* by its place in the history: a read that shall return value, */
	uint64_t value;		  /* or another event that shall happen */
	enum solve_effect effect; /* atomic accesses only */
	uint64_t written;	  /* EFFECT_WRITES */
	const uint32_t *must, *avoid; /* events that must, must not be in the seed */
	uint32_t must_count, avoid_count;
	enum solve_goal goal;
	uint64_t budget;
	const struct limit *limit;	 /* may be NULL */
	struct solve_conflict *conflict; /* filled when UNSAT, unless NULL */
};

enum solve_answer solve_causal_ask(struct solve_causal *c, const struct solve_target *t,
				   struct solve_seed *seed);

/* Distinct values some write of the history or the beginning gives the location of event e. */
struct solve_values {
	VEC_FIELDS(uint64_t);
};
void solve_causal_values(struct solve_causal *c, uint32_t e, struct solve_values *out);

/* Whether a must happen before b in every seed with both. */
bool solve_causal_before(const struct solve_causal *c, uint32_t a, uint32_t b);

/* Appends those of the n events that are before no other of them. */
void solve_causal_maximal(struct solve_causal *c, const uint32_t *events, uint32_t n,
			  struct solve_seed *out);
/* Place of an event by its name, UINT32_MAX when the history does not have it. */
uint32_t solve_causal_find(const struct solve_causal *c, struct solve_step name);

/*
 * What a question amounts to when nothing is shared between questions: reads that must return a
 * value, and pairs of a source and a write that must not come between (added to *reads and
 * *constraints).
 */
void solve_causal_measure(struct solve_causal *c, const struct solve_target *t, uint64_t *reads,
			  uint64_t *constraints);

const struct solve_stats *solve_causal_stats(const struct solve_causal *c);
/* For tests: the formula as it stands. */
const struct solve_formula *solve_causal_formula(const struct solve_causal *c);

#endif
