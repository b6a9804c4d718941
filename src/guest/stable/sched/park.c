#include "guest/stable/sched/park.h"

#include <errno.h>
#include <sys/resource.h>

#include "guest/stable/conf.h"
#include "guest/stable/sched/check.h"
#include "guest/stable/sched/deadlock.h"
#include "guest/stable/sched/nested.h"
#include "guest/stable/sched/policy.h"
#include "guest/stable/os.h"
#include "guest/stable/sched/stall.h"

#define SPIN_MAX 500000 /* cycles; about what sleeping and waking costs on a virtual machine */
#define CROWD_MAX 30000 /* the same with more threads than processors: others need this one */
#define CROWD_MIN 20000
#define SPIN_HALVINGS 5	   /* after waits that were longer than the spinning */
#define SPIN_BUSY 4000	   /* when other programs want the processors */
#define GAP 250000	   /* cycles between two looks: another program had the processor */
#define GAP_AGAIN 25000000 /* cycles within which a second gap is no accident */
#define BUSY_MIN 5000000   /* cycles for which that is believed to go on, at first … */
#define BUSY_MAX 100000000 /* … and when it happens again and again */
#define DOZE_SLACK_NS 20000

static uint64_t last_gap, busy_until,
	busy_length = BUSY_MIN; /* other programs want the processors */

static uint32_t look(struct sched_thread *t)
{
	return sched_state(t);
}

static bool is_crowded(void)
{
	return __atomic_load_n(&sched.awake, __ATOMIC_RELAXED) > (uint32_t)sched.cpus;
}

void park_init_thread(struct sched_thread *t)
{
	t->park.crowd_wait = CROWD_MAX / 4;
}

static uint64_t budget_of(struct sched_thread *t, uint64_t now, bool crowded)
{
	if (conf.spin >= 0)
		return (uint64_t)conf.spin;
	if (conf.spin == CONF_SPIN_ONLY)
		return UINT64_MAX;
	if (now < __atomic_load_n(&busy_until, __ATOMIC_RELAXED))
		return SPIN_BUSY;
	if (!crowded)
		return SPIN_MAX >> t->park.long_waits;
	uint64_t budget = CROWD_MIN + 2 * t->park.crowd_wait;
	return budget < CROWD_MAX ? budget : CROWD_MAX;
}

/*
 * With a processor for each thread, spinning takes nothing from the program and sleeping is dear:
 * only waits that were too long anyway, in a row, make it shorter.  Else the budget follows the
 * mean of the waits that spinning could have bridged.  A longer one makes it less: the thread that
 * has the turn computes, or has no processor, and then spinning only takes one more.
 */
static void learn(struct sched_thread *t, uint64_t waited, bool crowded)
{
	if (!crowded) {
		if (waited < SPIN_MAX)
			t->park.long_waits = 0;
		else
			t->park.long_waits += t->park.long_waits < SPIN_HALVINGS;
		return;
	}
	int64_t mean = (int64_t)t->park.crowd_wait;
	SCHED_ASSERT(mean >= 0);
	mean += waited < CROWD_MAX ? ((int64_t)waited - mean) / 8 : -mean / 8;
	t->park.crowd_wait = (uint64_t)mean;
}

/*
 * Preempted while spinning, again within a short time: nobody spins much for a while, longer each
 * time.  Once alone may be the system's own housekeeping.
 */
static void note_gap(uint64_t now)
{
	uint64_t before = __atomic_exchange_n(&last_gap, now, __ATOMIC_RELAXED);
	if (now - before > GAP_AGAIN)
		return;
	uint64_t length = __atomic_load_n(&busy_length, __ATOMIC_RELAXED);
	__atomic_store_n(&busy_until, now + length, __ATOMIC_RELAXED);
	__atomic_store_n(&busy_length, length < BUSY_MAX ? 2 * length : length, __ATOMIC_RELAXED);
}

static void note_success(void)
{
	uint64_t length = __atomic_load_n(&busy_length, __ATOMIC_RELAXED);
	if (length > BUSY_MIN)
		__atomic_store_n(&busy_length, length - length / 8, __ATOMIC_RELAXED);
}

/*
 * Since the last call, did others take the processor from this thread?  Asked after a sleep, which
 * costs more.  Then whoever it waits for may be waiting for the very processor it would spin on.
 */
static bool was_preempted(struct sched_thread *t)
{
	struct rusage usage;
	if (sys_call3(SYS_getrusage, RUSAGE_THREAD, &usage, 0) != 0)
		return false;
	bool preempted = usage.ru_nivcsw != t->park.preemptions;
	t->park.preemptions = usage.ru_nivcsw;
	return preempted;
}

/*
 * The time of the next look at the clock when all is well, 0 when the spinning is over.  A gap may
 * also come from outside of this system, when it is a virtual machine: that is nothing to yield to.
 */
static uint64_t go_on(struct sched_thread *t, uint64_t before, uint64_t end)
{
	uint64_t now = os_tsc();
	if (now - before <= GAP || conf.spin != CONF_SPIN_AUTO || !was_preempted(t))
		return now < end ? now : 0;
	note_gap(now);
	return 0;
}

/*
 * Once there are more threads than processors, the one that has the turn may need ours: a thread
 * that was woken meanwhile counts at once, so that it need not wait for the end of our spinning.
 */
static bool spin(struct sched_thread *t, uint64_t start, uint64_t budget, bool *crowded)
{
	uint64_t now = start, end = start + budget;
	if (end < start)
		end = UINT64_MAX;
	while (now) {
		for (int i = 0; i < (*crowded ? 1 : 16); i++) {
			uint32_t seen = look(t);
			if (seen == SCHED_GRANTED || seen == SCHED_DUTY)
				return seen == SCHED_GRANTED;
			os_pause();
		}
		if (*crowded)
			os_yield();
		now = go_on(t, now, end);
		if (!*crowded && conf.spin == CONF_SPIN_AUTO && is_crowded()) {
			*crowded = true;
			budget = budget_of(t, start, true);
			end = now && end > now + budget ? now + budget : end;
		}
	}
	return look(t) == SCHED_GRANTED;
}

/* The word as it is now, with the state SLEEP unless something came between. */
static uint32_t fall_asleep(struct sched_thread *t)
{
	uint32_t seen = __atomic_load_n(&t->word, __ATOMIC_ACQUIRE);
	while ((seen & SCHED_STATE) == SCHED_RUN) {
		uint32_t asleep = (seen & ~SCHED_STATE) | SCHED_SLEEP;
		if (__atomic_compare_exchange_n(&t->word, &seen, asleep, false, __ATOMIC_ACQ_REL,
						__ATOMIC_ACQUIRE)) {
			SCHED_ASSERT(sched.awake > 0);
			__atomic_sub_fetch(&sched.awake, 1, __ATOMIC_RELAXED);
			return asleep;
		}
	}
	return seen;
}

#define IMPATIENCE_NS 1000000000

static int64_t patience(void)
{
	int64_t limit = stall_patience();

	if (!sched_policy->impatient)
		return limit;
	return limit < 0 || limit > IMPATIENCE_NS ? IMPATIENCE_NS : limit;
}

static void wait_was_long(struct sched_thread *t, uint64_t since, uint64_t waited)
{
	const struct sched_policy *p = sched_policy;

	if (p->impatient)
		p->impatient(t);
	stall_suspect(since, waited);
}

/* One sleep on the word; false when a doze came to its end. */
static bool sleep_once(struct sched_thread *t)
{
	uint32_t asleep = fall_asleep(t);
	if ((asleep & SCHED_STATE) != SCHED_SLEEP)
		return true;
	int64_t left = -1;
	if (t->dozing) {
		uint64_t now = sys_monotonic_ns(),
			 until = __atomic_load_n(&t->doze_until, __ATOMIC_RELAXED);
		if (until <= now)
			return false;
		left = (int64_t)(until - now);
	}
	uint64_t time = __atomic_load_n(&sched.time, __ATOMIC_RELAXED);
	bool dozes = left >= 0;
	__atomic_add_fetch(&sched.sleeps, 1, __ATOMIC_RELAXED);
	int64_t limit = dozes ? left : patience();
	long result = os_futex_wait(&t->word, asleep, limit);
	if (result == -ETIMEDOUT && !dozes)
		wait_was_long(t, time, (uint64_t)limit);
	if (result == -EINTR && t->wait.interruptible)
		sched_interrupt(t);
	return true;
}

/* Back to RUN from SLEEP or DUTY, unless the turn came. */
static void stand_up(struct sched_thread *t)
{
	uint32_t seen = __atomic_load_n(&t->word, __ATOMIC_ACQUIRE);
	while (seen != SCHED_GRANTED && (seen & SCHED_STATE) != SCHED_RUN &&
	       !__atomic_compare_exchange_n(&t->word, &seen, seen & ~SCHED_STATE, false,
					    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		continue;
	if ((seen & SCHED_STATE) == SCHED_SLEEP)
		park_woken();
}

void park(struct sched_thread *t, park_doze_fn over)
{
	if (__builtin_expect(nested_on, 0)) {
		nested_park(t);
		return;
	}
	uint64_t start = os_tsc();
	bool crowded = conf.spin == CONF_SPIN_AUTO && is_crowded();
	/* Only a sleep notices a handled signal. */
	bool sleeps = t->dozing || t->wait.interruptible;
	uint64_t budget = sleeps ? 0 : budget_of(t, start, crowded);
	if (budget && spin(t, start, budget, &crowded)) {
		note_success();
		learn(t, os_tsc() - start, crowded);
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
	SCHED_ASSERT(look(t) == SCHED_GRANTED);
	__atomic_store_n(&t->dozing, 0, __ATOMIC_RELAXED);
	uint64_t now = os_tsc();
	if (conf.spin != CONF_SPIN_AUTO)
		return;
	/* Yielding counts as being preempted: that says nothing about others. */
	if (was_preempted(t) && !crowded)
		note_gap(now);
	else
		learn(t, now - start, crowded);
}

void park_ask_doze(struct sched_thread *t, uint64_t until_ns, bool is_self)
{
	SCHED_ASSERT(t->waiting && t->wait.deadline != SCHED_NEVER);
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
			if (seen == SCHED_SLEEP) {
				park_woken();
				os_futex_wake(&t->word, 1);
			}
			return;
		}
	}
}
