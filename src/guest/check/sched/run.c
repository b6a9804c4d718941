#include "guest/check/sched/run.h"

#include <string.h>

#include "guest/check/engine/engine.h"
#include "guest/check/engine/finish.h"
#include "guest/check/sched/upcall.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/spin_sight.h"
#include "guest/check/sched/state.h"

static void *(*main_routine)(void *);

static const struct strategy *strategy_of(uint32_t number)
{
	switch (number) {
	case STRATEGY_PCT:
		return &strategy_pct;
	case STRATEGY_RR:
		return &strategy_rr;
	case STRATEGY_DFS:
		return &strategy_dfs;
	case STRATEGY_REPLAY:
		return &strategy_replay;
	case STRATEGY_CORES:
		return &strategy_cores;
	case STRATEGY_SURW:
		return &strategy_surw;
	case STRATEGY_POS:
		return &strategy_pos;
	case STRATEGY_FEEDBACK:
		return &strategy_feedback;
	case STRATEGY_MIX:
		return &strategy_mix;
	case STRATEGY_TURNS:
		return &strategy_turns;
	case STRATEGY_BATCH:
		return &strategy_batch;
	default:
		return &strategy_random;
	}
}

static void run_begin(void)
{
	memset(&sched, 0, sizeof(sched));
	sched.words = 1;
	rt_thread_count = 0;
	sched.model = rt_ctl->job.model;
	sched.max_steps = rt_ctl->job.max_steps ? rt_ctl->job.max_steps : UINT64_MAX;
	sched.strategy = strategy_of(rt_ctl->job.strategy);
	rt_current = NULL;
	rt_inside = 0;
	spin_sight_reset();
	rt_ctl->result.drawn_by = rt_ctl->job.strategy;
	sched.strategy->begin(rt_ctl->result.seed);
	rt_current = thread_new(main_routine, NULL, SITE_NONE, false);
	RT_ASSERT(rt_current && rt_current->tid == 0 && rt_current->slot == 0);
	hook_run_begin();
}

static void thread_entry(void)
{
	struct rt_thread *t = rt_current;

	RT_ASSERT(t->next_tix == 0 && t->op == &t->begin_op);
	rec_event(EVENT_THREAD_BEGIN, t->create_site, 0, 0, t->parent);
	thread_end(hook_call_start(t));
}

static void run_over(void)
{
	const struct strategy *s = strategy_of(rt_ctl->job.strategy);

	if (s->over)
		s->over();
}

void rt_exit(int status)
{
	if (rt_controlled())
		sched_exit_point();
	spin_sight_settle();
	finish_exit(status);
}

static const struct engine_client client = { run_begin, thread_entry, run_over };

void run_enter(void *(*main_start)(void *))
{
	main_routine = main_start;
	finish_export = sched_export;
	engine_enter(&client);
}
