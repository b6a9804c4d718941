/*
 * The published algorithms, for comparison: the prefix of an execution is frozen as it is, and only
 * what follows is analysed, from the memory and the locks at its end.  One shortest seed per read
 * and value.  With switch equivalence (se.h) a seed carries the seeds that need not follow it.
 * Both lose states: which ones depends on the first schedule.
 *
 * With static dependences a seed keeps the values of fewer reads, and what else it contains may
 * turn out otherwise.  An execution whose target did not return what was asked for is dropped, and
 * the question is asked again with every read kept.
 */
#include "explore/published/se.h"
#include "explore/published/search.h"

struct prefix {
	struct prefix *next;
	VEC(struct se_skip) skip;	    /* seeds its execution need not be followed by */
	VEC(struct explore_soft_step) soft; /* static: the steps after the fixed ones */
	bool promised;			    /* static: the last step has to return a value */
	uint32_t site;
	uint64_t object, value;
	size_t fixed; /* steps that were performed like this before */
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

static uint32_t count_before(const struct solve_history *h, const struct solve_event *e)
{
	uint32_t n = 0;

	for (size_t i = 0; i < h->count; i++) {
		const struct solve_event *x = &h->items[i];

		n += x->thread == e->thread && x->site == e->site && x->index < e->index;
	}
	return n;
}

/* What a static seed promises, and its steps by where they stand. */
static void promise(struct classic *c, struct prefix *n, const struct se_seed *seed)
{
	const struct solve_event *target = &c->after.items[seed->target];

	n->promised = true;
	n->site = target->site;
	n->object = target->object;
	n->value = seed->value;
	for (size_t i = 0; i < seed->events.count; i++) {
		const struct solve_event *e = &c->after.items[seed->events.items[i]];
		struct explore_soft_step step = {e->thread, e->site, 0};

		step.instance = count_before(&c->before, e) + count_before(&c->after, e);
		vec_push(&n->soft, step);
	}
}

/* The prefix at hand followed by a seed. */
static struct prefix *push(struct classic *c, const struct solve_seed *seed)
{
	size_t old = c->before.count;
	struct prefix *n = xcalloc(1, sizeof(*n) + (old + seed->count) * sizeof(n->steps[0]));

	for (size_t i = 0; i < old; i++) {
		const struct solve_event *e = &c->before.items[i];

		n->steps[i] = (struct solve_step){e->thread, e->index};
	}
	for (size_t i = 0; i < seed->count; i++)
		n->steps[old + i] = name(c, seed->items[i]);
	n->fixed = old;
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
		vec_free(&p->skip.items[i].steps);
	vec_free(&p->skip);
	vec_free(&p->soft);
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

static bool depends(void *arg, uint32_t r, uint32_t e)
{
	const struct classic *c = arg;

	return c->s->o->depends(c->s->o->depends_arg, c->after.items[r].site,
				c->after.items[e].site);
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
	struct solve_target t = {.event = r,
				 .value = value,
				 .goal = SOLVE_LEAST,
				 .budget = c->s->o->budget,
				 .limit = c->s->o->limit};
	struct se_seed seed = {.events = VEC_INIT, .target = r, .value = value};
	enum solve_answer a;

	if (explore_gives_up(c->s))
		return;
	a = solve_causal_ask(causal, &t, &seed.events);
	c->s->stats->questions++;
	c->s->stats->answers += a == SOLVE_SAT;
	c->s->stats->unknown += a == SOLVE_UNKNOWN;
	if (c->s->o->measure)
		solve_causal_measure(causal, &t, &c->s->stats->reads, &c->s->stats->constraints);
	if (a == SOLVE_SAT)
		vec_push(&c->seeds, seed);
	else
		vec_free(&seed.events);
}

/* The causal model of what follows the prefix; with_deps: reads nothing depends on may change. */
static struct solve_causal *model(struct classic *c, bool with_deps)
{
	struct solve_causal_opts o = {
		.model = c->s->x->model, .initial = initial, .arg = c, .backend = c->s->o->backend};

	if (with_deps && c->s->o->static_deps != EXPLORE_STATIC_OFF) {
		o.depends = depends;
		o.depends_arg = c;
		o.target_keeps_all = c->s->o->static_deps == EXPLORE_STATIC_S_PLUS;
	}
	return solve_causal_new(c->after.items, (uint32_t)c->after.count, &o);
}

static void find_seeds(struct classic *c)
{
	struct solve_causal *causal = model(c, true);
	struct solve_values values = VEC_INIT;

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

static bool same_step(struct solve_step a, struct solve_step b)
{
	return a.thread == b.thread && a.index == b.index;
}

static bool matches(const struct classic *c, const struct se_skip *k, const struct se_seed *s)
{
	if (c->s->o->se_by_target)
		return k->value == s->value && same_step(k->target, name(c, s->target));
	if (k->steps.count != s->events.count)
		return false;
	for (size_t i = 0; i < s->events.count; i++) {
		if (!same_step(k->steps.items[i], name(c, s->events.items[i])))
			return false;
	}
	return true;
}

static bool skipped(const struct classic *c, const struct prefix *p, const struct se_seed *s)
{
	for (size_t i = 0; i < p->skip.count; i++) {
		if (matches(c, &p->skip.items[i], s))
			return true;
	}
	return false;
}

/*
 * Seeds of the same execution that are equivalent to seed i: no need to have them after it.  Of
 * the earlier ones only those that are skipped themselves.
 */
static void note_equivalents(struct classic *c, const struct prefix *p, size_t i, struct prefix *n)
{
	struct se_world w = {.h = &c->after,
			     .initial = initial,
			     .arg = c,
			     .strong = c->s->o->algorithm == EXPLORE_SE_STRONG};

	for (size_t j = 0; j < c->seeds.count; j++) {
		const struct se_seed *s = &c->seeds.items[j];
		struct se_skip k = {VEC_INIT, name(c, s->target), s->value};

		if (j == i || (j < i && !(c->s->o->se_inherit && skipped(c, p, s))))
			continue;
		if (se_equivalent(&w, &c->seeds.items[i], s, &k.steps)) {
			vec_push(&n->skip, k);
			c->s->stats->skip_bytes +=
				sizeof(k) + k.steps.count * sizeof(k.steps.items[0]);
		} else {
			vec_free(&k.steps);
		}
	}
}

static void drop_seeds(struct classic *c)
{
	for (size_t i = 0; i < c->seeds.count; i++)
		vec_free(&c->seeds.items[i].events);
	vec_clear(&c->seeds);
}

static void analyse(struct classic *c, const struct prefix *p)
{
	bool se = c->s->o->algorithm != EXPLORE_CLASSIC;

	split(c);
	find_seeds(c);
	for (size_t i = 0; i < c->seeds.count; i++) {
		struct prefix *n;

		if (skipped(c, p, &c->seeds.items[i]))
			continue;
		n = push(c, &c->seeds.items[i].events);
		if (c->s->o->static_deps != EXPLORE_STATIC_OFF)
			promise(c, n, &c->seeds.items[i]);
		if (se)
			note_equivalents(c, p, i, n);
	}
	drop_seeds(c);
}

static int run(struct classic *c, const struct prefix *p)
{
	struct explore_search *s = c->s;

	if (p->promised && s->x->execute_soft)
		return s->x->execute_soft(s->x, p->steps, p->fixed, p->soft.items, p->soft.count,
					  &s->run, s->e);
	return s->x->execute(s->x, p->steps, p->count, &s->run, s->e);
}

/* Whether the run at hand did what its seed was for. */
static bool kept_promise(const struct classic *c, const struct prefix *p)
{
	const struct explore_run *r = &c->s->run;
	const struct solve_event *e;

	if (!p->promised)
		return true;
	if (r->outcome == EXPLORE_DIVERGED || !r->prefix || r->prefix > r->history.count)
		return false;
	e = &r->history.items[r->prefix - 1];
	return e->thread == p->steps[p->count - 1].thread && e->site == p->site &&
	       e->object == p->object && solve_event_reads(e) && e->value == p->value;
}

/* Asks once more for the target of p, every read keeping its value. */
static int retry(struct classic *c, const struct prefix *p)
{
	struct explore_search *s = c->s;
	struct solve_causal *causal;
	uint32_t r;
	int rc = s->x->execute(s->x, p->steps, p->fixed, &s->run, s->e);

	s->stats->missed++;
	if (rc)
		return rc;
	split(c);
	causal = model(c, false);
	r = solve_causal_find(causal, p->steps[p->count - 1]);
	if (r != UINT32_MAX)
		find_seed(c, causal, r, p->value);
	solve_causal_free(causal);
	if (c->seeds.count)
		push(c, &c->seeds.items[0].events);
	drop_seeds(c);
	return 0;
}

static int visit(struct classic *c, const struct prefix *p)
{
	uint32_t number;
	bool fresh;
	int rc = run(c, p);

	if (rc)
		return rc;
	if (!kept_promise(c, p))
		return retry(c, p);
	rc = explore_account(c->s, &number, &fresh);
	if (!rc && !c->s->over && number != STATE_NONE)
		analyse(c, p);
	return rc;
}

int explore_classic(struct explore_search *s)
{
	struct classic c = {.s = s};
	struct solve_seed none = VEC_INIT;
	int rc = 0;

	push(&c, &none);
	while (c.first) {
		struct prefix *p = c.first;

		c.first = p->next;
		if (!c.first)
			c.last = NULL;
		if (!rc && !s->over)
			rc = visit(&c, p);
		drop(p);
	}
	vec_free(&c.after);
	vec_free(&c.before);
	vec_free(&c.seeds);
	return rc;
}
