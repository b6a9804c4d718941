#include "rt_stable/sched.h"

#include <errno.h>

#include "rt_stable/conf.h"
#include "rt_stable/deadlock.h"
#include "rt_stable/local.h"
#include "rt_stable/notes.h"
#include "rt_stable/os.h"
#include "rt_stable/park.h"
#include "rt_stable/pool.h"
#include "rt_stable/runq.h"
#include "rt_stable/waitq.h"

struct sched sched;
__thread struct sched_thread *sched_self __attribute__((tls_model("initial-exec")));

/* The turn is free: nobody is runnable.  Whoever replaces this marker in readmit has the turn. */
static struct sched_thread free_marker;
#define TURN_FREE (&free_marker)

/* A thread that stands still in the runtime has arrived for the next fence round. */
static void fence_count_parked(void)
{
	if (conf.policy == CONF_FENCE)
		__atomic_sub_fetch(&sched.fence_count, 1, __ATOMIC_ACQ_REL);
}

static void make_runnable(struct sched_thread *t, int reason)
{
	waitq_remove(t);
	t->w_reason = reason;
	if (t->pcs_timed) {
		/*
		 * Its section ends when the program says so; the schedule waits for it here.  When
		 * nobody else is left, it passed the turn to itself and has it after the section.
		 */
		while (t != sched_self && __atomic_load_n(&t->pcs_out, __ATOMIC_ACQUIRE) == 0)
			os_futex_wait(&t->pcs_out, 0, -1);
		t->pcs_timed = false;
	}
	fence_count_parked();
	runq_enter_woken(t);
}

static void fire_timeouts(void)
{
	while (sched.heap_count && sched.heap[0]->w_deadline <= sched.time)
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
		fence_count_parked();
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

/* Exactly once for each turn taken. */
static void on_turn(void)
{
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
	uint64_t turns = (os_now_ns() - sched.idle_since) / (uint64_t)conf.r_ns;
	uint64_t deadline = sched.heap[0]->w_deadline;
	uint64_t limit = deadline > sched.time ? deadline - sched.time : 0;
	turns = turns < limit ? turns : limit;
	sched.time += turns;
	sched.idle_turns += turns;
	sched.idle_since = 0;
	return true;
}

static void jump_to(uint64_t deadline)
{
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
	sched.idle_since = 0;
	if (earliest) {
		uint64_t now = os_now_ns();
		sched.idle_since = now;
		until = now + (earliest->w_deadline - sched.time) * (uint64_t)conf.r_ns;
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
	if (earliest && (earliest->pcs_timed || (outside == 0 && conf.idle == CONF_FF))) {
		jump_to(earliest->w_deadline);
		return true;
	}
	if (!earliest && outside == 0 && sched.live > 0 && !deadlock_tolerated())
		deadlock_report();
	return !leave_free(earliest, self);
}

/* Opens the next fence round when the last one is over; true when the head may be granted. */
static bool fence_pass(void)
{
	if (sched.fence_left > 0)
		sched.fence_left--;
	if (sched.fence_left > 0)
		return true;
	int64_t n = 0;
	for (struct sched_thread *t = sched.head; t; t = t->rq_next)
		n++;
	sched.fence_left = n;
	return __atomic_add_fetch(&sched.fence_count, n, __ATOMIC_ACQ_REL) == 0;
}

/* The head has used its turn ahead. */
static void use_turn(struct sched_thread *h)
{
	if (!pool_keeps_supplying(h))
		runq_rotate();
}

/* The caller has left the head position. */
static void pass_turn(struct sched_thread *self)
{
	for (;;) {
		struct sched_thread *h = sched.head;
		if (!h) {
			sched.fence_left = 0;
			if (!settle(self))
				return;
			continue;
		}
		if (conf.policy == CONF_FENCE && !fence_pass())
			return;
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
			h->supplies = 0;
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
		jump_to(sched.heap[0]->w_deadline);
	else
		fire_timeouts();
	pass_turn(t);
}

/* Asks for the turn from outside the run queue. */
static void readmit_push(struct sched_thread *t)
{
	t->stays = t->visit >= SCHED_VISIT_DENSE ? SCHED_VISIT_MAX : 0;
	t->visit = 0;
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
			fence_count_parked();
			pass_turn(t);
			return;
		}
		t->ra_next = seen;
		if (__atomic_compare_exchange_n(&sched.readmit, &seen, t, false, __ATOMIC_ACQ_REL,
						__ATOMIC_ACQUIRE))
			return;
	}
}

static void fence_arrive(struct sched_thread *t)
{
	if (t->hold && t->word == SCHED_GRANTED)
		return;
	/* Back from a section it left the queue for: the schedule counted it when it came back. */
	if (t->fence_excused) {
		t->fence_excused = false;
		return;
	}
	if (__atomic_sub_fetch(&sched.fence_count, 1, __ATOMIC_ACQ_REL) == 0)
		offer(sched.head);
}

void sched_get_turn(struct sched_thread *t)
{
	if (__builtin_expect(sched_state(t) == SCHED_NONDET, 0))
		readmit_push(t);
	else if (conf.policy == CONF_FENCE)
		fence_arrive(t);
	if (sched_state(t) != SCHED_GRANTED)
		park(t, doze_over);
	on_turn();
	if (t->local_run)
		local_end_run(t);
	if (__builtin_expect(t->wanted_by != NULL, 0))
		local_give_up(t);
}

static void rotate_and_pass(struct sched_thread *t)
{
	/* Alone in the queue: the next turn is ours as well. */
	if (!t->rq_next)
		return;
	runq_rotate();
	__atomic_store_n(&t->word, SCHED_RUN, __ATOMIC_RELEASE);
	pass_turn(t);
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
		rotate_and_pass(t);
}

void sched_keep_turn(struct sched_thread *t)
{
	if (conf.policy == CONF_LOCAL && ++t->batch < SCHED_BATCH_MAX)
		t->kept = true;
	else
		sched_put_turn(t);
}

/* Outside critical sections: whether t keeps the turn all the same. */
static bool goes_on(struct sched_thread *t)
{
	t->visit += t->visit < SCHED_VISIT_DENSE;
	if (__builtin_expect(t->stays > 0, 0)) {
		t->stays--;
		return true;
	}
	return !pool_passes(t);
}

void sched_put_turn(struct sched_thread *t)
{
	if (__builtin_expect(t->hold, 0))
		return;
	if (conf.policy == CONF_FCFS) {
		__atomic_add_fetch(&sched.nondet, 1, __ATOMIC_ACQ_REL);
		runq_pop();
		__atomic_store_n(&t->word, SCHED_NONDET, __ATOMIC_RELEASE);
		pass_turn(t);
		return;
	}
	if (conf.policy == CONF_FENCE) {
		runq_rotate();
		__atomic_store_n(&t->word, SCHED_RUN, __ATOMIC_RELEASE);
		pass_turn(t);
		return;
	}
	bool yields = t->batch == SCHED_BATCH_MAX;
	if (conf.policy >= CONF_BATCH && t->held > 0 && ++t->batch < SCHED_BATCH_MAX) {
		t->kept = true;
		return;
	}
	t->batch = 0;
	t->kept = conf.policy == CONF_LOCAL && !yields && goes_on(t);
	if (!t->kept)
		rotate_and_pass(t);
}

bool sched_wait_prepare(struct sched_thread *t, void *addr)
{
	if (!sched.outside_seen)
		return false;
	t->w_prepared = true;
	waitq_announce(addr, 1);
	return true;
}

void sched_wait_abandon(struct sched_thread *t, void *addr)
{
	t->w_prepared = false;
	waitq_announce(addr, -1);
}

int sched_wait(struct sched_thread *t, void *addr, uint64_t turns)
{
	t->w_addr = addr;
	t->w_seq = ++sched.wait_seq;
	t->w_deadline = turns ? sched.time + turns : SCHED_NEVER;
	t->w_reason = 0;
	t->kept = false;
	t->batch = 0;
	t->supplies = 0;
	t->stays = 0;
	runq_pop();
	waitq_add(t);
	__atomic_store_n(&t->word, SCHED_RUN, __ATOMIC_RELEASE);
	pass_turn(t);
	park(t, doze_over);
	on_turn();
	/* It may wait again without another turn; whoever asked meanwhile has to know. */
	if (__builtin_expect(t->wanted_by != NULL, 0))
		local_give_up(t);
	return t->w_reason;
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

void sched_nondet_begin(struct sched_thread *t)
{
	if (sched_state(t) == SCHED_NONDET)
		return;
	if (conf.policy == CONF_FENCE)
		sched_get_turn(t);
	__atomic_add_fetch(&sched.nondet, 1, __ATOMIC_ACQ_REL);
	uint32_t seen = __atomic_load_n(&t->word, __ATOMIC_ACQUIRE);
	while (seen != SCHED_GRANTED &&
	       !__atomic_compare_exchange_n(&t->word, &seen, (seen & ~SCHED_STATE) | SCHED_NONDET,
					    false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		continue;
	if (seen != SCHED_GRANTED)
		return;
	/* The turn was ours and unused: leave at the same place of the queue, without a tick. */
	t->kept = false;
	t->batch = 0;
	t->supplies = 0;
	runq_pop();
	local_give_up(t);
	__atomic_store_n(&t->word, SCHED_NONDET, __ATOMIC_RELEASE);
	pass_turn(t);
}

void sched_nondet_wait(struct sched_thread *t)
{
	sched_nondet_begin(t);
	if (t->away)
		return;
	t->away = true;
	__atomic_sub_fetch(&sched.awake, 1, __ATOMIC_RELAXED);
}

void sched_add(struct sched_thread *t)
{
	__atomic_add_fetch(&sched.awake, 1, __ATOMIC_RELAXED);
	sched.live++;
	if (sched.live > sched.peak)
		sched.peak = sched.live;
	/* Its beginning is an operation that needs no turn. */
	if (conf.policy == CONF_LOCAL)
		__atomic_fetch_add(&t->word, SCHED_AHEAD, __ATOMIC_ACQ_REL);
	runq_append(t);
}

void sched_remove(struct sched_thread *t)
{
	__atomic_sub_fetch(&sched.awake, 1, __ATOMIC_RELAXED);
	sched.live--;
	runq_pop();
	pass_turn(t);
}

void sched_leave_until(struct sched_thread *t, uint64_t deadline)
{
	t->w_addr = t;
	t->w_seq = ++sched.wait_seq;
	t->w_deadline = deadline;
	t->pcs_timed = true;
	t->fence_excused = conf.policy == CONF_FENCE;
	__atomic_store_n(&t->pcs_out, 0, __ATOMIC_RELAXED);
	local_bar(t);
	runq_pop();
	waitq_add(t);
	__atomic_store_n(&t->word, SCHED_RUN, __ATOMIC_RELEASE);
	pass_turn(t);
}

/* Whoever has the turn next acts on it; if nobody has, the caller does. */
static void leave_note(uintptr_t note)
{
	notes_put(note);
	if (__atomic_load_n(&sched.readmit, __ATOMIC_SEQ_CST) == TURN_FREE && claim_free()) {
		fire_timeouts();
		notes_act();
		pass_turn(NULL);
	}
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

void sched_init(struct sched_thread *main_thread)
{
	sched.cpus = os_cpu_count();
	sched_add(main_thread);
	main_thread->word = SCHED_GRANTED;
	sched.fence_left = 1;
	/* With fences the first round is open and waits for its only thread. */
	if (conf.policy == CONF_FENCE) {
		main_thread->word = SCHED_RUN;
		sched.fence_count = 1;
	}
}

void sched_fork_child(struct sched_thread *t)
{
	waitq_clear();
	sched.head = sched.tail = sched.woken = NULL;
	sched_defer(t, 0);
	runq_append(t);
	t->waiting = false;
	sched.readmit = NULL;
	sched.nondet = 0;
	sched.live = sched.awake = 1;
	sched.fence_left = 1;
	sched.fence_count = 0;
	t->word = SCHED_GRANTED;
	t->away = false;
	t->owed = 0;
	t->wanted_by = NULL;
	t->pcs_timed = false;
}
