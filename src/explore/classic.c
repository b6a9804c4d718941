/*
 * The published algorithms, for comparison: the prefix of an execution is frozen as it is, and only
 * what follows is analysed, from the memory and the locks at its end.  One shortest seed per read
 * and value.  With switch equivalence (se.h) a seed carries the seeds that need not follow it.
 * Both lose states: which ones depends on the first schedule.
 */
#include "explore/se.h"
#include "explore/search.h"

struct prefix {
	struct prefix *next;
	VEC(struct se_steps) skip; /* seeds its execution need not be followed by */
	size_t count;
	struct solve_step steps[];
};

struct classic {
	struct explore_search *s;
	struct prefix *first, *last;
	struct solve_history after;  /* the execution at hand without its prefix */
	struct solve_history before; /* its prefix */
	VEC(struct se_seed) seeds;   /* of the execution at hand */
};

static struct solve_step name(const struct classic *c, uint32_t place)
{
	const struct solve_event *e = &c->after.items[place];

	return (struct solve_step){e->thread, e->index};
}

static struct prefix *push(struct classic *c, const struct prefix *p, const struct solve_seed *seed)
{
	size_t old = p ? p->count : 0;
	struct prefix *n = xcalloc(1, sizeof(*n) + (old + seed->count) * sizeof(n->steps[0]));

	if (p)
		memcpy(n->steps, p->steps, old * sizeof(n->steps[0]));
	for (size_t i = 0; i < seed->count; i++)
		n->steps[old + i] = name(c, seed->items[i]);
	n->count = old + seed->count;
	if (c->last)
		c->last->next = n;
	else
		c->first = n;
	c->last = n;
	c->s->stats->nodes++;
	return n;
}

static void drop(struct prefix *p)
{
	for (size_t i = 0; i < p->skip.count; i++)
		vec_free(&p->skip.items[i]);
	vec_free(&p->skip);
	free(p);
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

static void find_seed(struct classic *c, struct solve_causal *causal, uint32_t r, uint64_t value)
{
	struct solve_target t = {
		.event = r, .value = value, .goal = SOLVE_LEAST, .budget = c->s->o->budget};
	struct se_seed seed = {.events = VEC_INIT, .target = r, .value = value};
	enum solve_answer a = solve_causal_ask(causal, &t, &seed.events);

	c->s->stats->questions++;
	c->s->stats->answers += a == SOLVE_SAT;
	c->s->stats->unknown += a == SOLVE_UNKNOWN;
	if (a == SOLVE_SAT)
		vec_push(&c->seeds, seed);
	else
		vec_free(&seed.events);
}

static void find_seeds(struct classic *c)
{
	struct solve_causal_opts o = {
		.model = c->s->x->model, .initial = initial, .arg = c, .backend = c->s->o->backend};
	struct solve_causal *causal;
	struct solve_values values = VEC_INIT;

	causal = solve_causal_new(c->after.items, (uint32_t)c->after.count, &o);
	for (uint32_t r = 0; r < c->after.count; r++) {
		if (!solve_event_reads(&c->after.items[r]))
			continue;
		solve_causal_values(causal, r, &values);
		for (size_t i = 0; i < values.count; i++) {
			if (values.items[i] != c->after.items[r].value)
				find_seed(c, causal, r, values.items[i]);
		}
	}
	solve_causal_free(causal);
	vec_free(&values);
}

static bool skipped(const struct classic *c, const struct prefix *p, const struct solve_seed *s)
{
	for (size_t i = 0; i < p->skip.count; i++) {
		const struct se_steps *k = &p->skip.items[i];
		bool same = k->count == s->count;

		for (size_t e = 0; same && e < s->count; e++) {
			struct solve_step n = name(c, s->items[e]);

			same = n.thread == k->items[e].thread && n.index == k->items[e].index;
		}
		if (same)
			return true;
	}
	return false;
}

/* Later seeds of the same execution that are equivalent to seed i: no need to have them after it.
 */
static void note_equivalents(struct classic *c, size_t i, struct prefix *n)
{
	struct se_world w = {.h = &c->after,
			     .initial = initial,
			     .arg = c,
			     .strong = c->s->o->algorithm == EXPLORE_SE_STRONG};

	for (size_t j = i + 1; j < c->seeds.count; j++) {
		struct se_steps rest = VEC_INIT;

		if (se_equivalent(&w, &c->seeds.items[i], &c->seeds.items[j], &rest))
			vec_push(&n->skip, rest);
		else
			vec_free(&rest);
	}
}

static void analyse(struct classic *c, const struct prefix *p)
{
	bool se = c->s->o->algorithm != EXPLORE_CLASSIC;

	split(c);
	find_seeds(c);
	for (size_t i = 0; i < c->seeds.count; i++) {
		struct prefix *n;

		if (skipped(c, p, &c->seeds.items[i].events))
			continue;
		n = push(c, p, &c->seeds.items[i].events);
		if (se)
			note_equivalents(c, i, n);
	}
	for (size_t i = 0; i < c->seeds.count; i++)
		vec_free(&c->seeds.items[i].events);
	vec_clear(&c->seeds);
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
		drop(p);
	}
	vec_free(&c.after);
	vec_free(&c.before);
	vec_free(&c.seeds);
	return rc;
}
