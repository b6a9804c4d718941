/* Follows the schedule given by the host, then goes on by default (or calls it a divergence). */
#include "rt/engine/finish.h"
#include "rt/mem/buffer.h"
#include "rt/sched/state.h"

static RT_RUN struct {
	uint64_t at;	/* index of the choice being followed */
	uint32_t done;	/* repetitions of it done */
} replay;

static const struct wire_choice *current_choice(void)
{
	const struct wire_choice *all =
		(const struct wire_choice *)((const char *)rt_ctl + rt_ctl->follow.offset);
	uint64_t count = rt_ctl->job.schedule_count;
	uint64_t room = rt_ctl->follow.bytes / sizeof(*all);

	return replay.at < (count < room ? count : room) ? &all[replay.at] : NULL;
}

static _Noreturn void diverged(const char *why, uint32_t tid)
{
	rt_ctl->result.diverged_at = replay.at;
	finish_outcome(OUTCOME_DIVERGED, "choice %lu: thread %u %s", replay.at, tid, why);
}

static void begin(uint64_t seed)
{
	strategy_seed(seed);
	replay.at = 0;
	replay.done = 0;
}

/* A thread at a descriptor may become ready only in a while. */
static bool wait_until_enabled(struct rt_thread *t)
{
	while (!set_has(&sched.enabled, t->slot) && set_has(&sched.io, t->slot)) {
		sched_refresh(t);
		sched_idle_wait();
	}
	return set_has(&sched.enabled, t->slot);
}

static void follow_run(const struct wire_choice *c, struct rt_thread *t, struct action *a)
{
	if (!wait_until_enabled(t))
		diverged("cannot perform its operation", c->tid);
	*a = (struct action){ CHOICE_RUN, 1, t };
	if (++replay.done >= c->arg) {
		replay.at++;
		replay.done = 0;
	}
}

static void follow_flush(const struct wire_choice *c, struct rt_thread *t, struct action *a)
{
	if (c->arg >= buffer_choices(t->buffer, (enum wire_model)sched.model))
		diverged("has no such store to commit", c->tid);
	*a = (struct action){ CHOICE_FLUSH, c->arg, t };
	replay.at++;
}

static void follow_timeout(const struct wire_choice *c, struct rt_thread *t, struct action *a)
{
	if (!set_has(&sched.timed, t->slot))
		diverged("waits for nothing that can expire", c->tid);
	*a = (struct action){ CHOICE_TIMEOUT, 1, t };
	replay.at++;
}

static void choose(struct action *a)
{
	const struct wire_choice *c = current_choice();
	struct rt_thread *t;

	if (!c) {
		if (rt_ctl->job.flags & JOB_EXACT)
			diverged("goes on after the end of the schedule", rt_current->tid);
		action_default(a);
		return;
	}
	t = thread_by_tid(c->tid);
	if (!t || t->state == THREAD_FINISHED || t->state == THREAD_GONE)
		diverged("does not exist", c->tid);
	if (c->kind == CHOICE_RUN)
		follow_run(c, t, a);
	else if (c->kind == CHOICE_FLUSH)
		follow_flush(c, t, a);
	else if (c->kind == CHOICE_TIMEOUT)
		follow_timeout(c, t, a);
	else
		diverged("should have made an inner choice", c->tid);
}

static uint32_t pick(uint32_t n)
{
	const struct wire_choice *c = current_choice();

	if (!c && !(rt_ctl->job.flags & JOB_EXACT))
		return 0;
	if (!c || c->kind != CHOICE_PICK || c->arg >= n)
		diverged("makes an inner choice that the schedule does not have", rt_current->tid);
	replay.at++;
	return c->arg;
}

const struct strategy strategy_replay = {
	.begin = begin,
	.choose = choose,
	.pick = pick,
};
