#include "rt/sched/run.h"

#include <string.h>

#include "rt/engine/engine.h"
#include "rt/engine/finish.h"
#include "rt/hook/cancel.h"
#include "rt/hook/hook.h"
#include "rt/rec/rec.h"
#include "rt/sched/state.h"

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
	sched.model = rt_ctl->job.model;
	sched.max_steps = rt_ctl->job.max_steps ? rt_ctl->job.max_steps : UINT64_MAX;
	sched.strategy = strategy_of(rt_ctl->job.strategy);
	rt_current = NULL;
	rt_inside = 0;
	sched.strategy->begin(rt_ctl->result.seed);
	rt_current = thread_new(main_routine, NULL, SITE_NONE);
	hook_run_begin();
}

static void thread_entry(void)
{
	struct rt_thread *t = rt_current;

	rec_event(EVENT_THREAD_BEGIN, t->create_site, 0, 0, t->parent);
	thread_end(hook_call_start(t));
}

static void run_over(void)
{
	const struct strategy *s = strategy_of(rt_ctl->job.strategy);

	if (s->over)
		s->over();
}

static const struct engine_client client = { run_begin, thread_entry, run_over };

void run_enter(void *(*main_start)(void *))
{
	main_routine = main_start;
	finish_export = sched_export;
	engine_enter(&client);
}
