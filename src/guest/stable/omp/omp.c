#include "guest/stable/omp/omp.h"

#include <string.h>

#include "guest/stable/conf.h"
#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/init.h"
#include "guest/stable/msg.h"
#include "guest/stable/os.h"
#include "guest/stable/real.h"

#define WORKERS 256

/* A pool thread; it waits on its own address between teams. */
static struct worker {
	pthread_t os;
	bool exists, busy;
	struct omp_place place;
} workers[WORKERS];

struct omp_place *omp_here(void)
{
	struct sched_thread *t = sched_self;
	return t ? t->omp : NULL;
}

void *omp_original(const char *name)
{
	return real_find(name);
}

static void *worker_run(void *argument);

/* Takes a turn, and waits until a team wants this worker. */
static void wait_for_team(struct worker *w, struct sched_thread *t)
{
	hook_begin((uintptr_t)worker_run, STABLE_OP_OMP_PARALLEL);
	while (!w->busy)
		hook_wait(t, STABLE_OP_OMP_PARALLEL, w, 0);
	hook_log(t, STABLE_OP_OMP_PARALLEL, NULL, STABLE_RES_RETURN, (uint32_t)w->place.number);
	hook_end(t);
}

/*
 * Its first team is known before it exists, so it begins at once: another turn would have to wait
 * for the thread that made it, which computes by then.
 */
static void *worker_run(void *argument)
{
	struct worker *w = argument;
	struct sched_thread *t = sched_self;
	for (;;) {
		t->omp = &w->place;
		w->place.team->fn(w->place.team->data);
		omp_barrier(t, &w->place, true, (uintptr_t)worker_run);
		t->omp = NULL;
		wait_for_team(w, t);
	}
	return NULL;
}

/* With the turn.  New workers become threads of the schedule like any other. */
static void engage(struct omp_team *team, int wanted)
{
	int got = 1;
	for (int i = 0; i < WORKERS && got < wanted; i++) {
		struct worker *w = &workers[i];
		if (w->busy)
			continue;
		w->place = (struct omp_place){.team = team,
					      .number = got,
					      .level = 1,
					      .reduce = team->reduce,
					      .busy = &w->busy};
		w->busy = true;
		if (w->exists)
			sched_signal(w);
		got++;
	}
}

static void create_missing(int size)
{
	for (int i = 0; i < WORKERS && size > 0; i++) {
		if (workers[i].exists || !workers[i].busy)
			continue;
		if (pthread_create(&workers[i].os, NULL, worker_run, &workers[i]) != 0)
			sys_exit_group(3);
		pthread_detach(workers[i].os);
		workers[i].exists = true;
	}
}

static int team_size(unsigned asked)
{
	int (*max)(void) = NULL;
	*(void **)&max = omp_original("omp_get_max_threads");
	int size = asked ? (int)asked : max ? max() : sched.cpus;
	return size < 1 ? 1 : size > WORKERS ? WORKERS : size;
}

void omp_barrier(struct sched_thread *t, struct omp_place *p, bool last, uintptr_t caller)
{
	struct omp_team *team = p->team;
	if (team->size == 1)
		return;
	hook_begin(caller, STABLE_OP_OMP_BARRIER);
	/* The next region starts after all have arrived: from here on the thread is free for it. */
	if (last && p->busy)
		*p->busy = false;
	if (++team->arrived == team->size) {
		team->arrived = 0;
		team->generation++;
		uint32_t woken = sched_broadcast(&team->generation);
		hook_log(t, STABLE_OP_OMP_BARRIER, NULL, STABLE_RES_SERIAL, woken);
	} else {
		hook_wait(t, STABLE_OP_OMP_BARRIER, &team->generation, 0);
		hook_log(t, STABLE_OP_OMP_BARRIER, NULL, STABLE_RES_RETURN, 0);
	}
	hook_end(t);
}

/* One team is kept for the next region. */
static struct omp_team *spare;

static struct omp_team *team_new(void)
{
	struct omp_team *team = __atomic_exchange_n(&spare, NULL, __ATOMIC_ACQUIRE);
	if (!team)
		return os_pages(sizeof(*team));
	memset(team, 0, sizeof(*team));
	return team;
}

static void team_free(struct omp_team *team)
{
	if (team->has_memory)
		omp_share_fini(team);
	team = __atomic_exchange_n(&spare, team, __ATOMIC_RELEASE);
	if (team)
		os_unmap(team, sizeof(*team));
}

static int run_team(struct omp_team *team, unsigned threads, const struct omp_loop *loop,
		    uintptr_t caller)
{
	struct sched_thread *t = sched_self;
	struct omp_place *outer = t->omp, mine = {.number = 0, .level = 1};
	int size = outer ? 1 : team_size(threads);
	if (team->reduce)
		omp_reduce_register(team->reduce, NULL, (unsigned)size);
	hook_begin(caller, STABLE_OP_OMP_PARALLEL);
	team->size = size;
	if (loop)
		omp_share_fill(&team->share[1 % OMP_SHARES], loop, (uint32_t)size);
	if (size > 1)
		engage(team, size);
	hook_log(t, STABLE_OP_OMP_PARALLEL, NULL, 0, (uint32_t)size);
	hook_end(t);
	create_missing(size);
	mine.team = team;
	mine.level = outer ? outer->level + 1 : 1;
	mine.reduce = team->reduce;
	t->omp = &mine;
	team->fn(team->data);
	omp_barrier(t, &mine, true, caller);
	t->omp = outer;
	team_free(team);
	return size;
}

int omp_run(void (*fn)(void *), void *data, unsigned threads, const struct omp_loop *loop,
	    uintptr_t caller)
{
	struct omp_team *team = team_new();
	team->fn = fn;
	team->data = data;
	return run_team(team, threads, loop, caller);
}

bool omp_is_ours(void)
{
	return conf.omp && init_runtime() && sched_self && !sched_self->bypass;
}

struct sched_thread *omp_outside_begin(void)
{
	struct sched_thread *t = sched_self;
	if (!init_is_active() || !t || t->bypass)
		return NULL;
	t->bypass = 1;
	t->pcs.depth = 1;
	sched_see_outside();
	msg_flag(STABLE_FLAG_NONDET);
	msg_loose(STABLE_LOOSE_TEAM, 0);
	sched_nondet_begin(t);
	return t;
}

void omp_outside_end(struct sched_thread *t)
{
	if (!t)
		return;
	t->pcs.depth = 0;
	t->bypass = 0;
}

HOOK_EXPORT void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags)
{
	if (omp_is_ours()) {
		omp_run(fn, data, threads, NULL, HOOK_CALLER);
		return;
	}
	struct sched_thread *t = omp_outside_begin();
	OMP_ORIGINAL(GOMP_parallel, fn, data, threads, flags);
	omp_outside_end(t);
}

/* A region with task reductions: the first word of its data leads to them. */
HOOK_EXPORT unsigned GOMP_parallel_reductions(void (*fn)(void *), void *data, unsigned threads,
					      unsigned flags)
{
	if (!omp_is_ours()) {
		struct sched_thread *t = omp_outside_begin();
		unsigned size = OMP_ORIGINAL(GOMP_parallel_reductions, fn, data, threads, flags);
		omp_outside_end(t);
		return size;
	}
	struct omp_team *team = team_new();
	team->fn = fn;
	team->data = data;
	team->reduce = *(uintptr_t **)data;
	return (unsigned)run_team(team, threads, NULL, HOOK_CALLER);
}

HOOK_EXPORT void GOMP_barrier(void)
{
	struct omp_place *p = omp_here();
	if (p) {
		omp_barrier(sched_self, p, false, HOOK_CALLER);
		return;
	}
	OMP_ORIGINAL(GOMP_barrier);
}

HOOK_EXPORT bool GOMP_barrier_cancel(void)
{
	if (!omp_here())
		return OMP_ORIGINAL(GOMP_barrier_cancel);
	GOMP_barrier();
	return false;
}

HOOK_EXPORT bool GOMP_cancel(int which, bool do_cancel)
{
	return omp_here() ? false : OMP_ORIGINAL(GOMP_cancel, which, do_cancel);
}

HOOK_EXPORT bool GOMP_cancellation_point(int which)
{
	return omp_here() ? false : OMP_ORIGINAL(GOMP_cancellation_point, which);
}

/* Questions about the team; elsewhere the library behind us knows the answer. */
#define ASK(name, ours, without)                                                                   \
	HOOK_EXPORT int name(void)                                                                 \
	{                                                                                          \
		struct omp_place *p = omp_here();                                                  \
		int (*original)(void) = NULL;                                                      \
		if (p)                                                                             \
			return ours;                                                               \
		*(void **)&original = omp_original(#name);                                         \
		return original ? original() : (without);                                          \
	}

ASK(omp_get_thread_num, p->number, 0)
ASK(omp_get_num_threads, p->team->size, 1)
ASK(omp_in_parallel, p->team->size > 1, 0)
ASK(omp_get_level, p->level, 0)
ASK(omp_get_active_level, p->team->size > 1, 0)
