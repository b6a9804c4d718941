#include "explore/published/explore.h"

#include "base/limit.h"
#include "explore/published/search.h"

static const struct {
	const char *name;
	int (*explore)(struct explore_search *s);
} algorithms[] = {
	[EXPLORE_COMPLETE] = {"complete", explore_complete},
	[EXPLORE_CLASSIC] = {"classic", explore_classic},
	[EXPLORE_SE] = {"se", explore_classic},
	[EXPLORE_SE_STRONG] = {"se-strong", explore_classic},
	[EXPLORE_DFS] = {"dfs", explore_dfs},
	[EXPLORE_DPOR] = {"dpor", explore_dpor},
};

const char *explore_algorithm_name(unsigned algorithm)
{
	return algorithm < EXPLORE_ALGORITHMS ? algorithms[algorithm].name : NULL;
}

int explore_algorithm_find(const char *name)
{
	for (unsigned i = 0; i < EXPLORE_ALGORITHMS; i++) {
		if (!strcmp(algorithms[i].name, name))
			return (int)i;
	}
	return -1;
}

int explore_account(struct explore_search *s, uint32_t *number, bool *fresh)
{
	int rc;

	*number = STATE_NONE;
	*fresh = false;
	if (s->run.history.count > EXPLORE_MAX_EVENTS)
		return err_set(s->e, ERR_LIMIT,
			       "an execution of %zu events is too long for %s, which orders at most "
			       "%d of them",
			       s->run.history.count, explore_algorithm_name(s->o->algorithm),
			       EXPLORE_MAX_EVENTS);
	if (s->run.outcome == EXPLORE_DIVERGED) {
		s->stats->diverged++;
		return 0;
	}
	s->stats->executions++;
	s->stats->stuck += s->run.outcome == EXPLORE_STUCK;
	s->stats->failed += s->run.outcome == EXPLORE_FAILED;
	s->stats->limited += s->run.outcome == EXPLORE_LIMITED;
	s->stats->assumed += s->run.outcome == EXPLORE_ASSUMED;
	rc = states_add(&s->states, &s->run, number, fresh, s->e);
	if (rc)
		return rc;
	s->stats->states += *fresh && s->run.outcome != EXPLORE_ASSUMED;
	if (s->o->ran && s->o->ran(s->o->arg, &s->run))
		s->over = true;
	if (s->o->max_executions && s->stats->executions >= s->o->max_executions)
		s->over = true;
	return 0;
}

int explore_execute(struct explore_search *s, const struct solve_step *prefix, size_t n,
		    uint32_t *number, bool *fresh)
{
	int rc = s->x->execute(s->x, prefix, n, &s->run, s->e);

	*number = STATE_NONE;
	*fresh = false;
	return rc ? rc : explore_account(s, number, fresh);
}

bool explore_gives_up(struct explore_search *s)
{
	if (!s->over && limit_reached(s->o->limit) == LIMIT_NONE)
		return false;
	s->over = true;
	s->stats->unknown++;
	return true;
}

int explore(struct explore_executor *x, const struct explore_opts *o, struct explore_stats *stats,
	    struct err *e)
{
	struct explore_search s = {.x = x, .o = o, .stats = stats, .e = e};
	int rc;

	*stats = (struct explore_stats){0};
	if (o->algorithm >= EXPLORE_ALGORITHMS)
		return err_set(e, ERR_USAGE, "no such algorithm: %d", (int)o->algorithm);
	states_init(&s.states);
	rc = algorithms[o->algorithm].explore(&s);
	stats->bytes = s.states.bytes;
	states_fini(&s.states);
	explore_run_fini(&s.run);
	return rc;
}
