/* Shared by advice*.c; private to them. */
#ifndef HEDDLE_EXPLAIN_ADVICE_PRIV_H
#define HEDDLE_EXPLAIN_ADVICE_PRIV_H

#include "explain/advice.h"

/* A region that somebody came into: operations; end: number of operations when it was never left.
 */
struct explain_breach {
	uint32_t begin, end, intruder;
};

/* The first region of the advice (pairs of places) that is not atomic in the execution. */
bool explain_next_breach(const struct explain_exec *x, const struct explanation_advice *a,
			 struct explain_breach *b);

/*
 * Whoever waits for others has to let them in: no region goes over that.  A wait at a condition
 * gives its mutex up; what comes in there may undo what the thread was woken for.
 */
enum explain_waiting { EXPLAIN_WAITS_NEVER, EXPLAIN_WAITS_AT_CONDITION, EXPLAIN_WAITS };
enum explain_waiting explain_waits_between(const struct explain_exec *x, uint32_t from,
					   uint32_t to);
/* In some region of the advice. */
bool explain_waits_inside(const struct explain_exec *x, const struct explanation_advice *a);

/* Their order matters: the same memory and a write, or the same object. */
bool explain_op_conflicts(const struct wire_event *a, const struct wire_event *b);

struct explain_advices {
	VEC_FIELDS(struct explanation_advice);
};

struct explanation_advice *explain_advice_add(struct explain_advices *out,
					      enum explanation_advice_kind kind);
void explain_advice_add_site(struct explanation_advice *a, uint32_t site);
void explain_advice_fini(struct explain_advices *a);

/*
 * Restrictions of schedules that keep out every failing execution that was seen and let passing
 * ones through, best first: regions and orders of operations that have to do with the flows of
 * `out'.
 */
void explain_advice_restrict(const struct explain_search *s, const struct explanation *out,
			     struct explain_advices *to);

/* What helps threads that are stuck, and stores that are late. */
void explain_advice_locks(const struct explain_search *s, struct explain_advices *to);
void explain_advice_wakeup(const struct explain_search *s, struct explain_advices *to);
/* Those that were found for the failing execution; none when it does not need late stores. */
void explain_advice_fences(const struct explain_search *s, const struct model_weak *w,
			   struct explain_advices *to);

/* Counts executions seen that keep to it: those that passed in *passed; those that failed. */
uint64_t explain_advice_count(const struct explain_search *s, const struct explanation_advice *a,
			      uint64_t *passed);

/*
 * Draws schedules, makes them keep to the advice where they do not, and counts: in a->schedules
 * those that keep to it, in a->failed those of them that fail in the same way.
 */
int explain_advice_test(struct explain_search *s, uint64_t runs, struct explanation_advice *a,
			struct err *e);

/* The same with a guest that has all n fences. */
int explain_advice_fence_test(struct explain_search *s, uint64_t runs, struct explanation_advice *a,
			      size_t n, struct err *e);

/* The same for drawn schedules that hang: with signals that wake all, do they end? */
int explain_advice_wakeup_test(struct explain_search *s, uint64_t runs,
			       struct explanation_advice *a, struct err *e);

#endif
