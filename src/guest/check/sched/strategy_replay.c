/* Follows the schedule given by the host, then goes on by default (or calls it a divergence). */
#include "guest/check/engine/finish.h"
#include "guest/check/mem/buffer.h"
#include "guest/check/sched/state.h"

static RT_RUN struct {
	uint64_t at;	/* index of the choice being followed */
	uint32_t done;	/* repetitions of it done */
	uint64_t count; /* choices in the schedule */
	const struct wire_choice *all;
	bool beyond; /* the schedule is over and the default has taken the lead */
	uint32_t picked; /* for the inner choice of the event that comes next, plus 1; 0: none */
} replay;

static const struct wire_choice *current_choice(void)
{
	return replay.at < replay.count ? &replay.all[replay.at] : NULL;
}

static _Noreturn void diverged(const char *why, uint32_t tid)
{
	rt_ctl->result.diverged_at = replay.at;
	finish_outcome(OUTCOME_DIVERGED, "choice %lu: thread %u %s", replay.at, tid, why);
}

/* The host's numbers are only believed as far as the area goes. */
static void set_schedule(uint64_t first, uint64_t count)
{
	uint64_t room = rt_ctl->follow.bytes / sizeof(struct wire_choice);

	replay.at = 0;
	replay.done = 0;
	replay.beyond = (rt_ctl->job.flags & JOB_STAY) != 0;
	replay.picked = 0;
	first = first < room ? first : room;
	replay.count = count < room - first ? count : room - first;
	RT_ASSERT(first + replay.count <= room);
	replay.all = (const struct wire_choice *)((const char *)rt_ctl + rt_ctl->follow.offset) + first;
}

static void begin(uint64_t seed)
{
	strategy_seed(seed);
	set_schedule(0, rt_ctl->job.schedule_count);
}

static struct wire_batch_run *batch_run(void)
{
	struct wire_batch_run *all =
		(struct wire_batch_run *)((char *)rt_ctl + rt_ctl->scratch.offset);
	uint64_t room = rt_ctl->scratch.bytes / sizeof(*all);

	return rt_ctl->result.runs < room ? &all[rt_ctl->result.runs] : NULL;
}

static void begin_batch(uint64_t seed)
{
	struct wire_batch_run *run = batch_run();

	strategy_seed(seed);
	set_schedule(run ? run->first : 0, run ? run->count : 0);
	if (run)
		run->event_first = rt_ctl->result.event_count;
}

static void over_batch(void)
{
	const struct wire_result *r = &rt_ctl->result;
	struct wire_batch_run *run = batch_run();

	if (!run)
		return;
	run->event_count = r->event_count - run->event_first;
	run->outcome = r->outcome;
	run->failure_kind = r->outcome == OUTCOME_FAILURE ? r->failure.kind : FAILURE_NONE;
	run->failure_site = r->failure.site;
	run->failure_tid = r->failure.tid;
	run->failure_addr = r->failure.addr;
	run->exit_status = r->exit_status;
	run->steps = r->steps;
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

static void follow_spurious(const struct wire_choice *c, struct rt_thread *t, struct action *a)
{
	if (!set_has(&sched.spurious, t->slot))
		diverged("stands at nothing that may end for no reason", c->tid);
	*a = (struct action){ CHOICE_SPURIOUS, 1, t };
	replay.at++;
}

static void follow_until(const struct wire_choice *c, struct rt_thread *t, struct action *a)
{
	bool expires = !set_has(&sched.enabled, t->slot) && set_has(&sched.timed, t->slot);

	/* Stores that nobody named: whoever wrote the schedule knows of none that matters. */
	if (!expires && !set_has(&sched.enabled, t->slot) && t->buffer->count) {
		*a = (struct action){ CHOICE_FLUSH, 0, t };
		return;
	}
	/* A wait that only time can end: the event asked for lies behind its expiry. */
	if (!expires && !wait_until_enabled(t))
		diverged("cannot perform its operation", c->tid);
	*a = (struct action){ expires ? CHOICE_TIMEOUT : CHOICE_RUN, 1, t };
}

static void follow_commit(const struct wire_choice *c, struct rt_thread *t, struct action *a)
{
	uint32_t choice = buffer_choice_of(t->buffer, (enum wire_model)sched.model, c->arg);

	if (choice == BUFFER_NO_CHOICE && !buffer_has(t->buffer, c->arg))
		diverged("cannot commit that store", c->tid);
	/* Older stores that hold it back go first, without having been named. */
	if (choice == BUFFER_NO_CHOICE)
		choice = 0;
	else
		replay.at++;
	RT_ASSERT(choice < buffer_choices(t->buffer, (enum wire_model)sched.model));
	*a = (struct action){ CHOICE_FLUSH, choice, t };
}

/* A thread that has come as far as the choice says needs no more steps. */
static void skip_reached(void)
{
	const struct wire_choice *c;

	while ((c = current_choice()) && c->kind == CHOICE_UNTIL && c->tid < rt_thread_count &&
	       thread_by_tid(c->tid)->next_tix > c->arg)
		replay.at++;
}

/* Whether something can be done for a choice that names an event. */
static bool fits(const struct wire_choice *c)
{
	struct rt_thread *t = thread_by_tid(c->tid);

	if (!t || t->state == THREAD_FINISHED || t->state == THREAD_GONE)
		return false;
	if (c->kind == CHOICE_COMMIT)
		return buffer_has(t->buffer, c->arg);
	return set_has(&sched.enabled, t->slot) || set_has(&sched.timed, t->slot) ||
	       set_has(&sched.io, t->slot) || t->buffer->count;
}

/* A choice for a step that will not be made goes with it. */
static bool is_misfit(const struct wire_choice *c)
{
	if (c->kind == CHOICE_PICK && replay.at + 1 < replay.count && c[1].kind == CHOICE_UNTIL)
		return !fits(&c[1]);
	return (c->kind == CHOICE_UNTIL || c->kind == CHOICE_COMMIT) && !fits(c);
}

/* Wishes that nobody can fulfil now are given up. */
static void skip_misfits(void)
{
	const struct wire_choice *c;

	while ((rt_ctl->job.flags & JOB_WISH) && (c = current_choice()) && is_misfit(c)) {
		replay.at++;
		skip_reached();
	}
}

static void choose(struct action *a)
{
	const struct wire_choice *c;
	struct rt_thread *t;

	skip_reached();
	skip_misfits();
	c = current_choice();
	if (c && c->kind == CHOICE_PICK && replay.at + 1 < replay.count &&
	    c[1].kind == CHOICE_UNTIL) {
		replay.picked = c->arg + 1;
		replay.at++;
		c++;
	}
	if (!c) {
		if (rt_ctl->job.flags & JOB_EXACT)
			diverged("goes on after the end of the schedule", rt_current->tid);
		/* The lowest thread begins, whoever the schedule stopped at. */
		action_default(a, !replay.beyond);
		replay.beyond = a->kind == CHOICE_RUN || replay.beyond;
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
	else if (c->kind == CHOICE_SPURIOUS)
		follow_spurious(c, t, a);
	else if (c->kind == CHOICE_UNTIL)
		follow_until(c, t, a);
	else if (c->kind == CHOICE_COMMIT)
		follow_commit(c, t, a);
	else
		diverged("should have made an inner choice", c->tid);
}

static uint32_t pick(uint32_t n)
{
	const struct wire_choice *c;

	/* Schedules of events say nothing about inner choices: the first alternative. */
	skip_reached();
	c = current_choice();
	if (c && (c->kind == CHOICE_UNTIL || c->kind == CHOICE_COMMIT)) {
		uint32_t picked = replay.picked ? replay.picked - 1 : 0;

		replay.picked = 0;
		return picked < n ? picked : 0;
	}
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

const struct strategy strategy_batch = {
	.begin = begin_batch,
	.choose = choose,
	.pick = pick,
	.over = over_batch,
};
