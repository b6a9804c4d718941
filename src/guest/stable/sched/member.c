/* Who takes part in the schedule: coming, leaving for a while, leaving for good. */
#include "guest/stable/sched/sched.h"

#include "guest/stable/os.h"
#include "guest/stable/sched/check.h"
#include "guest/stable/sched/local.h"
#include "guest/stable/sched/nested.h"
#include "guest/stable/sched/policy.h"
#include "guest/stable/sched/runq.h"
#include "guest/stable/sched/waitq.h"

void sched_nondet_begin(struct sched_thread *t)
{
	if (sched_state(t) == SCHED_NONDET)
		return;
	if (sched_policy->leaving_is_turn)
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
	t->keep.kept = false;
	t->keep.batch = 0;
	t->work.supplies = 0;
	SCHED_ASSERT(sched.head == t);
	runq_pop();
	local_give_up(t);
	__atomic_store_n(&t->word, SCHED_NONDET, __ATOMIC_RELEASE);
	sched_pass_turn(t);
}

void sched_nondet_wait(struct sched_thread *t)
{
	sched_nondet_begin(t);
	if (t->away)
		return;
	SCHED_ASSERT(sched_state(t) == SCHED_NONDET && sched.nondet > 0);
	t->away = true;
	__atomic_sub_fetch(&sched.awake, 1, __ATOMIC_RELAXED);
}

void sched_add(struct sched_thread *t)
{
	__atomic_add_fetch(&sched.awake, 1, __ATOMIC_RELAXED);
	sched.live++;
	if (sched.live > sched.peak)
		sched.peak = sched.live;
	if (sched_policy->born)
		sched_policy->born(t);
	runq_append(t);
}

void sched_remove(struct sched_thread *t)
{
	SCHED_ASSERT(sched.head == t && sched.live > 0 && !t->waiting);
	__atomic_sub_fetch(&sched.awake, 1, __ATOMIC_RELAXED);
	sched.live--;
	runq_pop();
	sched_pass_turn(t);
	if (nested_on)
		nested_dies(t);
}

void sched_leave_until(struct sched_thread *t, uint64_t deadline)
{
	SCHED_ASSERT(sched.head == t && deadline != SCHED_NEVER);
	t->wait.addr = t;
	t->wait.seq = ++sched.wait_seq;
	t->wait.deadline = deadline;
	t->pcs.timed = true;
	if (sched_policy->leaves)
		sched_policy->leaves(t);
	__atomic_store_n(&t->pcs.out, 0, __ATOMIC_RELAXED);
	local_bar(t);
	runq_pop();
	waitq_add(t);
	__atomic_store_n(&t->word, SCHED_RUN, __ATOMIC_RELEASE);
	sched_pass_turn(t);
}

void sched_init(struct sched_thread *main_thread)
{
	sched.cpus = os_cpu_count();
	sched_add(main_thread);
	main_thread->word = SCHED_GRANTED;
	if (sched_policy->begin)
		sched_policy->begin(main_thread, false);
}

void sched_fork_child(struct sched_thread *t)
{
	waitq_clear();
	sched.head = sched.tail = sched.woken = NULL;
	sched_defer(t, 0);
	t->waiting = t->in_rq = false;
	runq_append(t);
	sched.readmit = NULL;
	sched.nondet = 0;
	sched.live = sched.awake = 1;
	t->word = SCHED_GRANTED;
	if (sched_policy->begin)
		sched_policy->begin(t, true);
	t->away = false;
	t->owed = 0;
	t->local.wanted_by = NULL;
	t->pcs.timed = false;
}
