/*
 * The published algorithm, for comparison: the prefix of an execution is frozen as it is, and only
 * what follows is analysed, from the memory and the locks at its end.  One shortest seed per read
 * and value.  It loses states: which ones depends on the first schedule.
 */
#include "explore/search.h"
#include "solve/causal.h"

struct prefix {
	struct prefix *next;
	size_t count;
	struct solve_step steps[];
};

struct classic {
	struct explore_search *s;
	struct prefix *first, *last;
	struct solve_history after;  /* the execution at hand without its prefix */
	struct solve_history before; /* its prefix */
};

static void push(struct classic *c, const struct prefix *p, const struct solve_seed *seed)
{
	size_t old = p ? p->count : 0;
	struct prefix *n = xcalloc(1, sizeof(*n) + (old + seed->count) * sizeof(n->steps[0]));

	if (p)
		memcpy(n->steps, p->steps, old * sizeof(n->steps[0]));
	for (size_t i = 0; i < seed->count; i++) {
		const struct solve_event *e = &c->after.items[seed->items[i]];

		n->steps[old + i] = (struct solve_step){e->thread, e->index};
	}
	n->count = old + seed->count;
	if (c->last)
		c->last->next = n;
	else
		c->first = n;
	c->last = n;
	c->s->stats->nodes++;
}

/* Memory at the end of the prefix. */
static uint64_t initial(void *arg, uint64_t object)
{
	struct classic *c = arg;

	for (size_t i = c->before.count; i-- > 0;) {
		const struct solve_event *e = &c->before.items[i];

		if (e->op <= SOLVE_RMW && e->writes && e->object == object)
			return e->written;
	}
	return c->s->x->initial(c->s->x, object);
}

static void split(struct classic *c)
{
	const struct explore_run *r = &c->s->run;

	vec_clear(&c->before);
	vec_clear(&c->after);
	for (size_t i = 0; i < r->history.count; i++) {
		if (i < r->prefix)
			vec_push(&c->before, r->history.items[i]);
		else
			vec_push(&c->after, r->history.items[i]);
	}
}

static void analyse(struct classic *c, const struct prefix *p)
{
	struct solve_causal_opts o = {.model = c->s->x->model, .initial = initial, .arg = c,
				      .backend = c->s->o->backend};
	struct solve_causal *causal;
	struct solve_values values = VEC_INIT;
	struct solve_seed seed = VEC_INIT;

	split(c);
	causal = solve_causal_new(c->after.items, (uint32_t)c->after.count, &o);
	for (uint32_t r = 0; r < c->after.count; r++) {
		if (!solve_event_reads(&c->after.items[r]))
			continue;
		solve_causal_values(causal, r, &values);
		for (size_t i = 0; i < values.count; i++) {
			struct solve_target t = {.event = r, .value = values.items[i],
						 .goal = SOLVE_LEAST, .budget = c->s->o->budget};
			enum solve_answer a;

			if (values.items[i] == c->after.items[r].value)
				continue;
			a = solve_causal_ask(causal, &t, &seed);
			c->s->stats->questions++;
			c->s->stats->answers += a == SOLVE_SAT;
			c->s->stats->unknown += a == SOLVE_UNKNOWN;
			if (a == SOLVE_SAT)
				push(c, p, &seed);
		}
	}
	solve_causal_free(causal);
	vec_free(&values);
	vec_free(&seed);
}

int explore_classic(struct explore_search *s)
{
	struct classic c = {.s = s};
	struct solve_seed none = VEC_INIT;
	int rc = 0;

	push(&c, NULL, &none);
	while (c.first) {
		struct prefix *p = c.first;
		uint32_t number;
		bool fresh;

		c.first = p->next;
		if (!c.first)
			c.last = NULL;
		if (!rc && !s->over) {
			rc = explore_execute(s, p->steps, p->count, &number, &fresh);
			if (!rc && !s->over && number != STATE_NONE)
				analyse(&c, p);
		}
		free(p);
	}
	vec_free(&c.after);
	vec_free(&c.before);
	return rc;
}
