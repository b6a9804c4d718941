/*
 * Rounds.  Each thread of the run queue has one operation in a round, and the first of them begins
 * when all have arrived.  A thread that stands still in the runtime has arrived for the next round.
 */
#include "guest/stable/sched/check.h"
#include "guest/stable/sched/policy.h"
#include "guest/stable/sched/runq.h"

static int64_t left;	/* operations of this round */
static int64_t missing; /* arrivals until it begins; those who came early count below zero */

static void stands(void)
{
	__atomic_sub_fetch(&missing, 1, __ATOMIC_ACQ_REL);
}

static void arrive(struct sched_thread *t)
{
	if (t->hold && t->word == SCHED_GRANTED)
		return;
	/* Back from a section it left the queue for: the schedule counted it when it came back. */
	if (t->pcs.excused) {
		t->pcs.excused = false;
		return;
	}
	if (__atomic_sub_fetch(&missing, 1, __ATOMIC_ACQ_REL) == 0)
		sched_offer_head();
}

/* Opens the next round when the last one is over. */
static bool open(void)
{
	SCHED_ASSERT(left >= 0 && sched.head);
	if (left > 0)
		left--;
	if (left > 0)
		return true;
	int64_t n = 0;
	for (struct sched_thread *t = sched.head; t; t = t->rq_next)
		n++;
	left = n;
	return __atomic_add_fetch(&missing, n, __ATOMIC_ACQ_REL) == 0;
}

static void empty(void)
{
	left = 0;
}

static void put(struct sched_thread *t)
{
	runq_rotate();
	__atomic_store_n(&t->word, SCHED_RUN, __ATOMIC_RELEASE);
	sched_pass_turn(t);
}

/* The first round is open and waits for its only thread. */
static void begin(struct sched_thread *t, bool has_turn)
{
	left = 1;
	missing = has_turn ? 0 : 1;
	if (!has_turn)
		t->word = SCHED_RUN;
}

static void leaves(struct sched_thread *t)
{
	t->pcs.excused = true;
}

const struct sched_policy policy_fence = {.put = put,
					  .arrive = arrive,
					  .stands = stands,
					  .open = open,
					  .empty = empty,
					  .begin = begin,
					  .leaves = leaves,
					  .leaving_is_turn = true};
