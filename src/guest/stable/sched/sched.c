#include "guest/stable/sched/sched.h"

#include <errno.h>

#include "guest/stable/conf.h"
#include "guest/stable/sched/check.h"
#include "guest/stable/sched/deadlock.h"
#include "guest/stable/sched/local.h"
#include "guest/stable/sched/nested.h"
#include "guest/stable/sched/notes.h"
#include "guest/stable/os.h"
#include "guest/stable/sched/park.h"
#include "guest/stable/sched/policy.h"
#include "guest/stable/sched/pool.h"
#include "guest/stable/sched/runq.h"
#include "guest/stable/sched/waitq.h"

struct sched sched;
__thread struct sched_thread *sched_self __attribute__((tls_model("initial-exec")));

/* The turn is free: nobody is runnable.  Whoever replaces this marker in readmit has the turn. */
static struct sched_thread free_marker;
#define TURN_FREE (&free_marker)

/* A thread that stands still in the runtime has come into the run queue. */
static void tell_it_stands(void)
{
	if (__builtin_expect(sched_policy->stands != NULL, 0))
		sched_policy->stands();
}

static void make_runnable(struct sched_thread *t, int reason)
{
	SCHED_ASSERT(t->waiting && !t->in_rq);
	waitq_remove(t);
	t->wait.reason = reason;
	if (t->pcs.timed) {
		/*
		 * Its section ends when the program says so; the schedule waits for it here.  When
		 * nobody else is left, it passed the turn to itself and has it after the section.
		 */
		if (nested_on && t != sched_self)
			nested_await_section(t);
		while (t != sched_self && __atomic_load_n(&t->pcs.out, __ATOMIC_ACQUIRE) == 0)
			os_futex_wait(&t->pcs.out, 0, -1);
		t->pcs.timed = false;
	}
	tell_it_stands();
	runq_enter_woken(t);
}

static void fire_timeouts(void)
{
	if (__builtin_expect(sched_policy->untimed, 0))
		return;
	while (sched.heap_count && sched.heap[0]->wait.deadline <= sched.time)
		make_runnable(sched.heap[0], ETIMEDOUT);
}

/* Appends the threads that returned, first come first. */
static void admit(void)
{
	struct sched_thread *list = __atomic_exchange_n(&sched.readmit, NULL, __ATOMIC_ACQ_REL);
	struct sched_thread *ordered = NULL;
	while (list) {
		struct sched_thread *next = list->ra_next;
		list->ra_next = ordered;
		ordered = list;
		list = next;
	}
	while (ordered) {
		struct sched_thread *t = ordered;
		ordered = t->ra_next;
		if (!t->in_rq)
			runq_enter_woken(t);
		tell_it_stands();
		__atomic_sub_fetch(&sched.nondet, 1, __ATOMIC_ACQ_REL);
	}
}

static void look_outside(void)
{
	if (__builtin_expect(__atomic_load_n(&sched.readmit, __ATOMIC_RELAXED) != NULL, 0))
		admit();
	if (__builtin_expect(__atomic_load_n(&notes_pending, __ATOMIC_RELAXED), 0))
		notes_act();
}

void sched_look_outside(void)
{
	look_outside();
}

bool sched_has_returned(void)
{
	return __atomic_load_n(&sched.readmit, __ATOMIC_SEQ_CST) != NULL ||
	       __atomic_load_n(&notes_pending, __ATOMIC_SEQ_CST);
}

/* Exactly once for each turn taken. */
static void on_turn(void)
{
	if (__builtin_expect(nested_on, 0))
		nested_turn();
	sched.time++;
	if (sched.heap_count)
		fire_timeouts();
	look_outside();
}

enum offer { OFFER_TAKEN, OFFER_USED, OFFER_LEFT };

/*
 * Gives the head its turn, unless it has used it ahead or left the schedule meanwhile.  All turns
 * used ahead are taken over at once: the word is in the other thread's cache.
 */
static enum offer offer(struct sched_thread *h)
{
	SCHED_ASSERT(h == sched.head && h->in_rq && !h->waiting);
	if (h->owed) {
		h->owed--;
		return OFFER_USED;
	}
	uint32_t next, seen = __atomic_load_n(&h->word, __ATOMIC_RELAXED);
	do {
		if (seen >= SCHED_AHEAD)
			next = seen & SCHED_STATE;
		else if (seen == SCHED_NONDET)
			return OFFER_LEFT;
		else
			next = SCHED_GRANTED;
	} while (!__atomic_compare_exchange_n(&h->word, &seen, next, false, __ATOMIC_ACQ_REL,
					      __ATOMIC_RELAXED));
	if (seen >= SCHED_AHEAD) {
		h->owed = seen / SCHED_AHEAD - 1;
		return OFFER_USED;
	}
	if (seen == SCHED_SLEEP) {
		park_woken();
		os_futex_wake(&h->word, 1);
	}
	if (__builtin_expect(nested_on, 0))
		nested_granted(h);
	return OFFER_TAKEN;
}

/*
 * Takes the free turn.  Real time that passed meanwhile becomes logical time, but no further than
 * the next deadline.
 */
static bool claim_free(void)
{
	struct sched_thread *expected = TURN_FREE;
	if (!__atomic_compare_exchange_n(&sched.readmit, &expected, NULL, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_RELAXED))
		return false;
	if (!sched.idle_since || !sched.heap_count)
		return true;
	uint64_t turns = (sys_monotonic_ns() - sched.idle_since) / (uint64_t)conf.r_ns;
	uint64_t deadline = sched.heap[0]->wait.deadline;
	uint64_t limit = deadline > sched.time ? deadline - sched.time : 0;
	turns = turns < limit ? turns : limit;
	sched.time += turns;
	sched.idle_turns += turns;
	sched.idle_since = 0;
	return true;
}

static void jump_to(uint64_t deadline)
{
	SCHED_ASSERT(deadline != SCHED_NEVER);
	if (deadline > sched.time) {
		sched.idle_turns += deadline - sched.time;
		sched.time = deadline;
	}
	fire_timeouts();
}

/*
 * Publishes that the turn is free.  The marker comes before the look at dozing, and a dozing thread
 * that gives up clears dozing before it looks for the marker: one of the two sees the other.
 */
static bool leave_free(struct sched_thread *earliest, struct sched_thread *self)
{
	uint64_t until = 0;
	SCHED_ASSERT(!sched.head && !sched.tail);
	sched.idle_since = 0;
	/* Under a nested scheduler time passes when it is told to. */
	if (nested_on)
		earliest = NULL;
	if (earliest) {
		uint64_t now = sys_monotonic_ns();
		sched.idle_since = now;
		until = now + (earliest->wait.deadline - sched.time) * (uint64_t)conf.r_ns;
	}
	struct sched_thread *expected = NULL;
	if (!__atomic_compare_exchange_n(&sched.readmit, &expected, TURN_FREE, false,
					 __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		return false;
	/* A note that was left before the marker appeared found nobody to wake. */
	if (__atomic_load_n(&notes_pending, __ATOMIC_SEQ_CST) && claim_free())
		return false;
	if (earliest)
		park_ask_doze(earliest, until, earliest == self);
	return true;
}

/* Nobody is runnable.  True when that has changed, false when the turn was left to others. */
static bool settle(struct sched_thread *self)
{
	look_outside();
	if (sched.head)
		return true;
	struct sched_thread *earliest = waitq_earliest();
	uint32_t outside = __atomic_load_n(&sched.nondet, __ATOMIC_ACQUIRE);
	if (earliest && (earliest->pcs.timed || (outside == 0 && conf.idle == CONF_FF))) {
		jump_to(earliest->wait.deadline);
		return true;
	}
	if (!earliest && outside == 0 && sched.live > 0 && !deadlock_tolerated())
		deadlock_report();
	return !leave_free(earliest, self);
}

/* The head has used its turn ahead. */
static void use_turn(struct sched_thread *h)
{
	if (!pool_keeps_supplying(h))
		runq_rotate();
}

void sched_pass_turn(struct sched_thread *self)
{
	for (;;) {
		struct sched_thread *h = sched.head;
		if (!h) {
			if (sched_policy->empty)
				sched_policy->empty();
			if (!settle(self))
				return;
			continue;
		}
		if (__builtin_expect(sched_policy->open != NULL, 0)) {
			if (!sched_policy->open())
				return;
			h = sched.head;
		}
		if (__builtin_expect(h->deferred, 0)) {
			runq_pass_over(h);
			continue;
		}
		switch (offer(h)) {
		case OFFER_TAKEN:
			sched.handoffs++;
			if (!h->favoured)
				sched.favours = 0;
			return;
		case OFFER_USED:
			on_turn();
			use_turn(h);
			break;
		case OFFER_LEFT:
			h->work.supplies = 0;
			runq_pop();
			local_give_up(h);
			break;
		}
	}
}

/* In a doze the deadline came: time flows to it if nobody else has the turn. */
static void doze_over(struct sched_thread *t)
{
	if (!claim_free())
		return;
	if (__atomic_load_n(&sched.nondet, __ATOMIC_ACQUIRE) == 0 && sched.heap_count)
		jump_to(sched.heap[0]->wait.deadline);
	else
		fire_timeouts();
	sched_pass_turn(t);
}

uint32_t sched_next_deadline(void)
{
	bool is_free = __atomic_load_n(&sched.readmit, __ATOMIC_ACQUIRE) == TURN_FREE;
	return is_free && sched.heap_count ? sched.heap[0]->tid + 1 : 0;
}

void sched_pass_time(struct sched_thread *t)
{
	if (!claim_free())
		return;
	SCHED_ASSERT(sched.heap_count > 0);
	jump_to(sched.heap[0]->wait.deadline);
	sched_pass_turn(t);
}

void sched_look_again(struct sched_thread *t)
{
	if (!t || !claim_free())
		return;
	fire_timeouts();
	sched_pass_turn(t);
}

/* Somebody, or a note, has come from outside. */
static void tell_it_returned(struct sched_thread *t)
{
	const struct sched_policy *p = sched_policy;

	if (__builtin_expect(p->returned != NULL, 0))
		p->returned(t);
}

/* Asks for the turn from outside the run queue. */
static void readmit_push(struct sched_thread *t)
{
	if (sched_policy->back)
		sched_policy->back(t);
	if (t->away) {
		t->away = false;
		__atomic_add_fetch(&sched.awake, 1, __ATOMIC_RELAXED);
	}
	/* NONDET becomes RUN; turns used ahead before are still owed. */
	__atomic_and_fetch(&t->word, ~SCHED_STATE, __ATOMIC_ACQ_REL);
	struct sched_thread *seen = __atomic_load_n(&sched.readmit, __ATOMIC_ACQUIRE);
	for (;;) {
		if (seen == TURN_FREE) {
			if (!claim_free()) {
				seen = __atomic_load_n(&sched.readmit, __ATOMIC_ACQUIRE);
				continue;
			}
			fire_timeouts();
			if (!t->in_rq)
				runq_append(t);
			__atomic_sub_fetch(&sched.nondet, 1, __ATOMIC_ACQ_REL);
			tell_it_stands();
			sched_pass_turn(t);
			return;
		}
		t->ra_next = seen;
		if (__atomic_compare_exchange_n(&sched.readmit, &seen, t, false, __ATOMIC_SEQ_CST,
						__ATOMIC_ACQUIRE))
			break;
	}
	tell_it_returned(t);
}

void sched_offer_head(void)
{
	SCHED_ASSERT(sched.head);
	offer(sched.head);
}

void sched_get_turn(struct sched_thread *t)
{
	if (__builtin_expect(sched_state(t) == SCHED_NONDET, 0)) {
		if (nested_on)
			nested_ask(NESTED_RETURN, NULL, NULL, t->pc[0]);
		readmit_push(t);
	} else if (__builtin_expect(sched_policy->arrive != NULL, 0)) {
		sched_policy->arrive(t);
	}
	if (sched_state(t) != SCHED_GRANTED)
		park(t, doze_over);
	SCHED_ASSERT(sched_state(t) == SCHED_GRANTED && !t->owed);
	on_turn();
	t->spin_rounds = 0;
	if (t->local.run)
		local_end_run(t);
	if (__builtin_expect(t->local.wanted_by != NULL, 0))
		local_give_up(t);
}

void sched_rotate(struct sched_thread *t)
{
	SCHED_ASSERT(sched.head == t && !t->waiting);
	/* Alone in the queue: the next turn is ours as well. */
	if (!t->rq_next)
		return;
	runq_rotate();
	__atomic_store_n(&t->word, SCHED_RUN, __ATOMIC_RELEASE);
	sched_pass_turn(t);
}

void sched_await_turn(struct sched_thread *t)
{
	if (sched_state(t) == SCHED_RUN)
		park(t, doze_over);
}

void sched_let_others(struct sched_thread *t, uint32_t rounds)
{
	/* Alone, it may wait for what somebody does who sleeps. */
	if (!t->rq_next && sched.heap_count)
		jump_to(sched.heap[0]->wait.deadline);
	if (!t->rq_next || sched_policy->open)
		return;
	t->keep.kept = false;
	t->keep.batch = 0;
	t->work.supplies = 0;
	t->local.stays = 0;
	sched_defer(t, rounds);
	sched_rotate(t);
	park(t, doze_over);
}

void sched_use_ahead(struct sched_thread *t)
{
	uint32_t seen = __atomic_fetch_add(&t->word, SCHED_AHEAD, __ATOMIC_ACQ_REL);
	if ((seen & SCHED_STATE) != SCHED_GRANTED)
		return;
	/* The turn is already here. */
	__atomic_store_n(&t->word, SCHED_GRANTED, __ATOMIC_RELAXED);
	on_turn();
	if (!pool_keeps_supplying(t))
		sched_rotate(t);
}

void sched_keep_turn(struct sched_thread *t)
{
	if (!sched_policy->keeps || !sched_policy->keeps(t))
		sched_put_turn(t);
}

void sched_put_turn(struct sched_thread *t)
{
	if (__builtin_expect(!t->hold, 1))
		sched_policy->put(t);
}

int sched_wait(struct sched_thread *t, void *addr, uint64_t turns)
{
	SCHED_ASSERT(sched.head == t && sched_state(t) == SCHED_GRANTED);
	t->wait.addr = addr;
	t->wait.seq = ++sched.wait_seq;
	t->wait.deadline = turns ? sched.time + turns : SCHED_NEVER;
	t->wait.reason = 0;
	t->keep.kept = false;
	t->keep.batch = 0;
	t->work.supplies = 0;
	t->local.stays = 0;
	runq_pop();
	waitq_add(t);
	__atomic_store_n(&t->word, SCHED_RUN, __ATOMIC_RELEASE);
	sched_pass_turn(t);
	park(t, doze_over);
	SCHED_ASSERT(sched.head == t && !t->waiting);
	on_turn();
	/* It may wait again without another turn; whoever asked meanwhile has to know. */
	if (__builtin_expect(t->local.wanted_by != NULL, 0))
		local_give_up(t);
	return t->wait.reason;
}

void sched_wake(struct sched_thread *t, int reason)
{
	make_runnable(t, reason);
}

uint32_t sched_signal(void *addr)
{
	struct sched_thread *t = sched.waiting ? waitq_first(addr) : NULL;
	if (!t)
		return 0;
	make_runnable(t, 0);
	return 1;
}

uint32_t sched_broadcast(void *addr)
{
	uint32_t woken = 0;
	while (sched_signal(addr))
		woken++;
	return woken;
}

/* Whoever has the turn next acts on it; if nobody has, the caller does. */
static void leave_note(uintptr_t note)
{
	notes_put(note);
	if (__atomic_load_n(&sched.readmit, __ATOMIC_SEQ_CST) == TURN_FREE && claim_free()) {
		fire_timeouts();
		notes_act();
		sched_pass_turn(NULL);
		return;
	}
	tell_it_returned(NULL);
}

void sched_interrupt(struct sched_thread *t)
{
	leave_note((uintptr_t)t | NOTE_INTERRUPT);
}

/*
 * The caller changed the object before; a deterministic thread enters the wait queue (seq_cst) and
 * then tries the object once more when sched.outside_seen.  So either we see it waiting or it sees
 * the change.
 */
void sched_notify(void *addr, bool all)
{
	sched_see_outside();
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (!__atomic_load_n(sched_waiting_at(addr), __ATOMIC_SEQ_CST))
		return;
	leave_note((uintptr_t)addr | (all ? NOTE_ALL : 0));
}
