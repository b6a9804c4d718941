/*
 * Loops that count, and loops that join what other loops made.
 *
 * A loop counts when its head has a phi that starts at one value, goes up by one constant and is
 * compared with a bound there.  A loop of one body *joins all* of a thread when the thread is
 * created in a loop that counts over the same numbers, the handle goes to an address that depends
 * on the number, and the join, which every round comes to, takes it from the same address.  Then no
 * such thread runs behind the way out of its head.
 *
 * What that rests on is only known when flow.h has its fixpoint: that no such thread was running
 * when the creating loop was entered, and that bounds loaded from memory did not change meanwhile.
 * loops_hold() looks, and takes back what does not hold.
 */
#ifndef HEDDLE_ANALYZE_LOOPS_H
#define HEDDLE_ANALYZE_LOOPS_H

#include "analyze/flow.h"

struct loops_count {
	LLVMValueRef phi, start, bound;
	int64_t step;
	LLVMValueRef step_value; /* when that is no constant; NULL */
	int predicate;		 /* of the comparison that stays in the loop, the phi on the left */
	uint32_t header;
};

/* A branch: `value' is 0, or is not, on this way. */
struct loops_test {
	LLVMValueRef value;
	bool zero;
};

/* False: it says nothing about a single value. */
bool loops_test(LLVMValueRef branch, unsigned way, struct loops_test *out);
/* The innermost loop around a block, when it counts. */
bool loops_counted(const struct code *c, uint32_t block, struct loops_count *out);

/*
 * Does no thread run, of those the loop makes, when it is entered?  Then any two that run at the
 * same time have different numbers.  To be asked when flow.h has its fixpoint.
 */
bool loops_fresh(struct flow *f, uint32_t thread, const struct loops_count *made);

struct loops *loops_new(struct flow *f);
void loops_free(struct loops *l);
/* A way from block to block is taken: the state behind it. */
void loops_passed(struct loops *l, struct flow *f, uint32_t body, uint32_t from, uint32_t to,
		  struct state *s);
/* False: something did not hold, and everything has to be done again. */
bool loops_hold(struct loops *l, struct flow *f);

/* Parts of flow.c that loops need. */
void flow_ended(const struct flow *f, struct state *s, uint32_t t);
#define FLOW_HANDLES 16
struct flow_handles {
	uint32_t count; /* 0: more than fit, or something else than threads */
	uint32_t threads[FLOW_HANDLES];
};
void flow_joined(struct flow *f, uint32_t body, LLVMValueRef call, struct flow_handles *out);
bool flow_unique(const struct flow *f, uint32_t loc);

#endif
