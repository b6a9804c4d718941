#include "rt_stable/park.h"

#include "rt_stable/conf.h"
#include "rt_stable/deadlock.h"
#include "rt_stable/os.h"

#define SPIN_MAX 100000
#define SPIN_MIN 1500
#define DOZE_SLACK_NS 20000

static uint32_t look(struct sched_thread *t)
{
	return __atomic_load_n(&t->word, __ATOMIC_ACQUIRE);
}

static uint64_t budget_of(struct sched_thread *t)
{
	if (conf.spin >= 0)
		return (uint64_t)conf.spin;
	if (conf.spin == CONF_SPIN_ONLY)
		return UINT64_MAX;
	if (__atomic_load_n(&sched.awake, __ATOMIC_RELAXED) > (uint32_t)sched.cpus)
		return 0;
	return t->spin_budget ? t->spin_budget : SPIN_MAX / 4;
}

static void learn(struct sched_thread *t, uint64_t waited, uint64_t budget)
{
	if (waited < SPIN_MAX) {
		t->spin_budget = 2 * waited < SPIN_MIN ? SPIN_MIN : 2 * waited;
		if (t->spin_budget > SPIN_MAX)
			t->spin_budget = SPIN_MAX;
	} else {
		t->spin_budget = budget / 2 > SPIN_MIN ? budget / 2 : SPIN_MIN;
	}
}

static bool spin(struct sched_thread *t, uint64_t start, uint64_t budget)
{
	do {
		for (int i = 0; i < 16; i++) {
			uint32_t seen = look(t);
			if (seen == SCHED_GRANTED)
				return true;
			if (seen == SCHED_DUTY)
				return false;
			os_pause();
		}
	} while (os_tsc() - start < budget);
	return false;
}

/* One sleep on the word; false when a doze came to its end. */
static bool sleep_once(struct sched_thread *t)
{
	uint32_t seen = SCHED_RUN;
	if (!__atomic_compare_exchange_n(&t->word, &seen, SCHED_SLEEP, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE) &&
	    seen != SCHED_SLEEP)
		return true;
	int64_t left = -1;
	if (t->dozing) {
		uint64_t now = os_now_ns(), until = __atomic_load_n(&t->doze_until, __ATOMIC_RELAXED);
		if (until <= now)
			return false;
		left = (int64_t)(until - now);
	}
	__atomic_sub_fetch(&sched.awake, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&sched.sleeps, 1, __ATOMIC_RELAXED);
	os_futex_wait(&t->word, SCHED_SLEEP, left);
	__atomic_add_fetch(&sched.awake, 1, __ATOMIC_RELAXED);
	return true;
}

/* Back to RUN from SLEEP or DUTY, unless the turn came. */
static void stand_up(struct sched_thread *t)
{
	uint32_t seen = look(t);
	while (seen != SCHED_GRANTED && seen != SCHED_RUN &&
	       !__atomic_compare_exchange_n(&t->word, &seen, SCHED_RUN, false, __ATOMIC_ACQ_REL,
					    __ATOMIC_ACQUIRE))
		continue;
}

void park(struct sched_thread *t, park_doze_fn over)
{
	uint64_t start = os_tsc();
	uint64_t budget = t->dozing ? 0 : budget_of(t);
	if (budget && spin(t, start, budget)) {
		learn(t, os_tsc() - start, budget);
		return;
	}
	while (look(t) != SCHED_GRANTED) {
		if (look(t) == SCHED_DUTY) {
			stand_up(t);
			deadlock_give_stack(t);
		}
		if (sleep_once(t))
			continue;
		/* Before the look for the free turn, see leave_free(). */
		__atomic_store_n(&t->dozing, 0, __ATOMIC_SEQ_CST);
		stand_up(t);
		if (look(t) != SCHED_GRANTED)
			over(t);
	}
	__atomic_store_n(&t->dozing, 0, __ATOMIC_RELAXED);
	learn(t, os_tsc() - start, budget);
}

void park_ask_doze(struct sched_thread *t, uint64_t until_ns, bool is_self)
{
	uint64_t former = __atomic_load_n(&t->doze_until, __ATOMIC_RELAXED);
	bool dozes = __atomic_load_n(&t->dozing, __ATOMIC_SEQ_CST);
	if (dozes && former <= until_ns + DOZE_SLACK_NS)
		return;
	__atomic_store_n(&t->doze_until, until_ns, __ATOMIC_RELAXED);
	__atomic_store_n(&t->dozing, 1, __ATOMIC_SEQ_CST);
	if (is_self)
		return;
	uint32_t seen = __atomic_load_n(&t->word, __ATOMIC_RELAXED);
	while (seen == SCHED_RUN || seen == SCHED_SLEEP) {
		if (__atomic_compare_exchange_n(&t->word, &seen, SCHED_DUTY, false,
						__ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
			if (seen == SCHED_SLEEP)
				os_futex_wake(&t->word, 1);
			return;
		}
	}
}
