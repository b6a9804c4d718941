/* Where a thread could go another way: asked, and followed. */
#include <assert.h>
#include <stdio.h>

#include "base/lookup.h"
#include "hunt/asked.h"
#include "hunt/search_priv.h"

#define MAX_ADDRESSES 16 /* followed at one place of one combination */

static const struct symex_thread *thread_of(const struct hunt_visit *v, uint32_t t)
{
	return &v->x.trace.threads.items[t];
}

/* A bound on flips leaves these out, which is what was asked for. */
static bool may_flip(const struct hunt_visit *v)
{
	return !v->s->o.max_flips || v->node->flips < v->s->o.max_flips;
}

/* The paths with thread t's path cut before its way `at', which gets the value. */
static void flipped(const struct hunt_visit *v, uint32_t t, size_t at, uint64_t value,
		    struct hunt_paths *out)
{
	struct hunt_path *p;

	hunt_paths_copy(out, &v->x.paths);
	p = &out->items[t];
	hunt_path_cut(p, at + 1);
	p->ways.items[at].value = value;
	p->ways.items[at].turned = true;
}

/* ---- assertions ---- */

/*
 * Behind the flip the thread fails by itself: nothing more depends on others.  In the published
 * order that is an assertion only when no branch at all stands between.
 */
static bool fails_at_once(const struct hunt_exec *x, uint32_t t, size_t at, bool published)
{
	const struct hunt_path *p = &x->paths.items[t];

	if (x->trace.threads.items[t].end != SYMEX_END_FAILED || p->ways.count <= at)
		return false;
	for (size_t i = at + 1; i < p->ways.count; i++)
		if (p->ways.items[i].expr || published)
			return false;
	for (size_t i = 0; i < p->picks.count; i++)
		if (p->picks.items[i].ways > at)
			return false;
	return true;
}

/* What the other way of a branch leads to; found out once for each. */
static const struct hunt_point *look_behind(struct hunt_visit *v, uint32_t t, size_t at)
{
	const struct hunt_way *w = &v->x.paths.items[t].ways.items[at];
	uint64_t value = !w->value;
	struct hunt_point point = {(uint64_t)w->unit << 32 | w->point, value, false, SYMEX_NONE};
	struct hunt_search *s = v->s;
	struct hunt_exec_opts o = {.program = &s->program,
				   .run = &s->runs.items[v->node->run]->source,
				   .max_rounds = 3,
				   .max_instructions = 20000000,
				   .limit = &s->limit};
	struct hunt_paths paths;
	struct hunt_exec x;
	struct err e = ERR_INIT;

	for (size_t i = 0; i < s->points.count; i++)
		if (s->points.items[i].point == point.point && s->points.items[i].way == value)
			return &s->points.items[i];
	flipped(v, t, at, value, &paths);
	o.paths = &paths;
	if (hunt_execute(&o, &x, &e) == 0) {
		if (t < x.trace.threads.count && fails_at_once(&x, t, at, s->o.published)) {
			point.fails = true;
			point.site = x.trace.threads.items[t].site;
		}
		hunt_exec_fini(&x);
	}
	hunt_paths_fini(&paths);
	vec_push(&s->points, point);
	return &vec_last(&s->points);
}

/* ---- points ---- */

static void push_ways(struct hunt_visit *v, uint32_t t, size_t at)
{
	const struct hunt_way *w = &v->x.paths.items[t].ways.items[at];
	uint32_t distance = (uint32_t)(v->x.paths.items[t].ways.count - at);
	uint32_t traces = 0;

	for (uint32_t value = 0; value < w->successors; value++) {
		struct hunt_paths paths;

		if (value == w->value)
			continue;
		if (v->s->o.max_traces && traces++ == v->s->o.max_traces)
			return;
		flipped(v, t, at, value, &paths);
		hunt_push(v->s, v->node, &paths, v->node->flips + 1, distance);
	}
}

/* A place where it is asked, with what is known about it. */
struct place {
	size_t at;
	bool fails; /* it is an assertion */
	struct hunt_assertion a;
};

struct places {
	VEC(struct place) at;
	VEC(struct hunt_asked) asked; /* one for each */
};

/* assertions: nothing else is asked about. */
static void prepare_way(struct hunt_visit *v, uint32_t t, size_t at, bool assertions,
			struct places *to)
{
	const struct hunt_way *w = &v->x.paths.items[t].ways.items[at];
	const struct symex_thread *th = thread_of(v, t);
	const struct symex_condition *c = &th->conditions.items[w->condition];
	const struct hunt_point *p = NULL;
	struct place place = {.at = at,
			      .a = {.site = SYMEX_NONE,
				    .thread = v->x.paths.items[t].key,
				    .place = (uint64_t)w->unit << 32 | w->point,
				    .nth = at}};
	struct hunt_asked asked = {
		.q = {.thread = t, .conditions = w->condition, .events = c->event}};

	if (w->ask == SYMEX_ASK_BRANCH)
		p = look_behind(v, t, at);
	place.fails = p && p->fails;
	if (place.fails)
		place.a.site = p->site;
	if (!place.fails && (assertions || !may_flip(v)))
		return;
	if (place.fails && (hunt_is_found(v->s, place.a.site) || hunt_is_proved(v, &place.a)))
		return;
	asked.q.also = expr_not(v->x.trace.pool, c->expr);
	vec_push(&to->at, place);
	vec_push(&to->asked, asked);
}

static void use_answer(struct hunt_visit *v, uint32_t t, const struct place *p,
		       const struct hunt_reply *r)
{
	if (r->answer == SOLVE_UNKNOWN)
		hunt_undecided(v->s, v->x.paths.items[t].ways.items[p->at].site, r->reason);
	else if (p->fails && r->answer == SOLVE_SAT)
		hunt_candidate(v, p->a.site, "an assertion", r);
	else if (p->fails)
		hunt_prove(v, &p->a);
	else if (r->answer == SOLVE_SAT)
		push_ways(v, t, p->at);
}

/* All at once, or one after the other when that is not worth processes of their own. */
static void ask_places(struct hunt_visit *v, uint32_t t, struct places *p)
{
	bool together = hunt_search_ask_all(v->s, &v->x, p->asked.items, p->asked.count);

	for (size_t i = 0; i < p->at.count; i++) {
		struct hunt_asked *a = &p->asked.items[i];
		bool found = p->at.items[i].fails && hunt_is_found(v->s, p->at.items[i].a.site);

		if (!together && (found || limit_reached(&v->s->limit) != LIMIT_NONE))
			continue;
		if (!together)
			hunt_search_ask(v->s, &v->x, &a->q, &a->r);
		if (!found)
			use_answer(v, t, &p->at.items[i], &a->r);
		hunt_reply_fini(&a->r);
	}
	vec_free(&p->at);
	vec_free(&p->asked);
}

/* ---- addresses and outcomes ---- */

static void push_pick(struct hunt_visit *v, uint32_t t, size_t at, uint64_t value, bool counts)
{
	const struct hunt_pick *k = &v->x.paths.items[t].picks.items[at];
	struct hunt_paths paths;
	struct hunt_path *p;

	hunt_paths_copy(&paths, &v->x.paths);
	p = &paths.items[t];
	p->ways.count = k->ways;
	p->picks.count = at + 1;
	p->picks.items[at].value = value;
	p->picks.items[at].open = false;
	hunt_push(v->s, v->node, &paths, v->node->flips + counts,
		  (uint32_t)(v->x.paths.items[t].ways.count - k->ways));
}

/* The same place on the same path of the thread, whatever others do. */
static uint64_t place_of(const struct hunt_path *p, const struct hunt_pick *k)
{
	uint64_t hash = lookup_mix(hunt_path_hash(p, 0), (uint64_t)k->tix << 32 | k->site);

	for (uint32_t i = 0; i < k->ways; i++)
		hash = lookup_mix(hash, p->ways.items[i].value);
	return lookup_mix(hash, (uint64_t)k->nth << 8 | k->ask);
}

static expr_id not_tried(struct hunt_visit *v, expr_id e, uint64_t place)
{
	struct expr_pool *pool = v->x.trace.pool;
	unsigned width = expr_width(pool, e);
	expr_id all = EXPR_NONE;

	for (size_t i = 0; i < v->s->tried.count; i++) {
		const struct hunt_tried *d = &v->s->tried.items[i];
		expr_id other;

		if (d->place != place)
			continue;
		other = expr_binary(pool, EXPR_NE, e, expr_const(pool, width, d->value));
		all = all ? expr_binary(pool, EXPR_AND, all, other) : other;
	}
	return all;
}

/* A pointer that was read, with an offset the code gives; anything else is computed. */
static bool is_pointer(const struct expr_pool *pool, expr_id e)
{
	const struct expr_node *n = expr_get(pool, e);
	expr_value offset;

	if (n->op == EXPR_READ)
		return true;
	return n->op == EXPR_ADD && ((expr_is_const(pool, n->arg[0], &offset) && offset < 65536 &&
				      expr_get(pool, n->arg[1])->op == EXPR_READ) ||
				     (expr_is_const(pool, n->arg[1], &offset) && offset < 65536 &&
				      expr_get(pool, n->arg[0])->op == EXPR_READ));
}

/* Nothing lies there, or a computed address has left the object it was in at first. */
static bool is_wild(const struct hunt_visit *v, const struct hunt_pick *k, uint64_t place,
		    uint64_t value)
{
	struct symex_object here, first;

	if (!symex_trace_object(&v->x.trace, value, &here))
		return true;
	if (is_pointer(v->x.trace.pool, k->expr))
		return false;
	for (size_t i = 0; i < v->s->tried.count; i++)
		if (v->s->tried.items[i].place == place)
			return !symex_trace_object(&v->x.trace, v->s->tried.items[i].value,
						   &first) ||
			       first.base != here.base;
	return false;
}

/* Every address that some order gives: each is a combination of its own. */
static void flip_address(struct hunt_visit *v, uint32_t t, size_t at)
{
	const struct hunt_pick *k = &v->x.paths.items[t].picks.items[at];
	const struct symex_thread *th = thread_of(v, t);
	uint64_t place = place_of(&v->x.paths.items[t], k);
	struct hunt_question q = {.thread = t, .conditions = k->condition, .value = k->expr};
	struct hunt_reply r = {.answer = SOLVE_SAT};
	int n;

	q.events = k->condition < th->conditions.count && !k->open
			   ? th->conditions.items[k->condition].event
			   : (uint32_t)th->events.count;
	for (n = 0; n < MAX_ADDRESSES && r.answer == SOLVE_SAT; n++) {
		q.also = not_tried(v, k->expr, place);
		hunt_search_ask(v->s, &v->x, &q, &r);
		if (r.answer == SOLVE_SAT) {
			if (is_wild(v, k, place, r.value))
				hunt_candidate(v, k->site, "an access where nothing lies", &r);
			vec_push(&v->s->tried, ((struct hunt_tried){place, r.value}));
		}
		hunt_reply_fini(&r);
	}
	/* Those that are known were found in other combinations: they are to be followed here too.
	 */
	for (size_t i = 0; i < v->s->tried.count; i++)
		if (v->s->tried.items[i].place == place &&
		    (k->open || (!v->s->o.published && v->s->tried.items[i].value != k->value)))
			push_pick(v, t, at, v->s->tried.items[i].value, !k->open);
	if (r.answer == SOLVE_UNKNOWN)
		hunt_undecided(v->s, k->site, r.reason);
	else if (r.answer == SOLVE_SAT)
		hunt_undecided(v->s, k->site, "too many addresses are possible");
}

static void flip_outcome(struct hunt_visit *v, uint32_t t, size_t at)
{
	const struct hunt_pick *k = &v->x.paths.items[t].picks.items[at];
	uint64_t outcomes[2];
	unsigned n = follow_outcomes(k->kind, outcomes);
	bool fails = k->kind == EVENT_FAILURE;

	for (unsigned i = 0; i < n && (fails || may_flip(v)); i++)
		if (outcomes[i] != k->value)
			push_pick(v, t, at, outcomes[i], !fails);
}

/* ---- all of them ---- */

/* The condition that a way made; expressions may have become constants on the way. */
static bool has_condition(const struct symex_thread *th, const struct hunt_way *w)
{
	const struct symex_condition *c;

	if (!w->expr || w->condition >= th->conditions.count)
		return false;
	c = &th->conditions.items[w->condition];
	/* The last one of a thread that failed is called the failure. */
	return c->unit == w->unit && c->point == w->point &&
	       (c->why == SYMEX_WHY_PATH || c->why == SYMEX_WHY_FAILURE);
}

/* What is computed from shared memory may be a number all the same: there is no other way. */
static bool has_one_way(const struct hunt_visit *v, const struct hunt_way *w)
{
	expr_value value;

	return !w->expr || expr_is_const(v->x.trace.pool, w->expr, &value);
}

static void flip_thread(struct hunt_visit *v, uint32_t t)
{
	const struct hunt_path *p = &v->x.paths.items[t];
	const struct symex_thread *th = thread_of(v, t);
	struct places places = {VEC_INIT, VEC_INIT};

	for (size_t i = p->ways.count; i-- > 0;) {
		if (limit_reached(&v->s->limit) != LIMIT_NONE)
			break;
		if (p->ways.items[i].ask == SYMEX_ASK_CALL && p->ways.items[i].expr)
			hunt_undecided(v->s, p->ways.items[i].site,
				       "a call through a pointer that others write");
		else if (has_condition(th, &p->ways.items[i]))
			prepare_way(v, t, i, false, &places);
		else if (!has_one_way(v, &p->ways.items[i]))
			hunt_undecided(v->s, p->ways.items[i].site, "a branch without a condition");
	}
	ask_places(v, t, &places);
	for (size_t i = 0; i < p->picks.count && limit_reached(&v->s->limit) == LIMIT_NONE; i++) {
		if (p->picks.items[i].ask == SYMEX_ASK_ADDRESS)
			flip_address(v, t, i);
		else
			flip_outcome(v, t, i);
	}
}

void hunt_flip_all(struct hunt_visit *v)
{
	assert(v->x.paths.count == v->x.trace.threads.count);
	for (uint32_t t = 0; t < v->x.paths.count; t++)
		flip_thread(v, t);
}

/* ---- for the published order ---- */

bool hunt_may_flip(struct hunt_visit *v, uint32_t t, size_t at, uint32_t *fails)
{
	const struct hunt_way *w = &v->x.paths.items[t].ways.items[at];
	const struct hunt_point *p;

	*fails = SYMEX_NONE;
	if (w->ask == SYMEX_ASK_CALL || !has_condition(thread_of(v, t), w))
		return false;
	p = w->ask == SYMEX_ASK_BRANCH ? look_behind(v, t, at) : NULL;
	if (p && p->fails)
		*fails = p->site;
	return true;
}

void hunt_ask_assertions(struct hunt_visit *v)
{
	for (uint32_t t = 0; t < v->x.paths.count; t++) {
		const struct hunt_path *p = &v->x.paths.items[t];
		struct places places = {VEC_INIT, VEC_INIT};

		for (size_t i = p->ways.count; i-- > 0;)
			if (limit_reached(&v->s->limit) == LIMIT_NONE &&
			    has_condition(thread_of(v, t), &p->ways.items[i]))
				prepare_way(v, t, i, true, &places);
		ask_places(v, t, &places);
		/* An access through a pointer is an assertion, too. */
		for (size_t i = 0; i < p->picks.count; i++)
			if (p->picks.items[i].ask == SYMEX_ASK_ADDRESS &&
			    limit_reached(&v->s->limit) == LIMIT_NONE)
				flip_address(v, t, i);
	}
}
