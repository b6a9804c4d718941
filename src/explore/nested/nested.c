#include "explore/nested/nested_priv.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/lookup.h"
#include "base/rng.h"
#include "explore/learn/estimate.h"
#include "explore/nested/loose.h"
#include "explore/nested/probe.h"
#include "stable/atomics.h"
#include "stable/text.h"

#define PLAIN_RUNS 3	      /* of a program with one schedule */
#define PROBES 8	      /* random executions before a search */
#define DECISIONS_MOST 200000 /* in one execution */

struct hashes {
	VEC_FIELDS(uint64_t);
};

struct search {
	struct nested_program *p;
	const struct nested_plan *plan;
	struct nested_result *result;
	struct reduce tree;
	struct probe probe;
	struct rng rng;
	enum reduce_answer last; /* what the tree said last */
	uint64_t decisions;
	struct strbuf diverged;
	struct hashes orders, logs;
	VEC(struct reduce_offer) open;
	bool quick; /* only what is in sections is a choice */
	bool over;
};

/* ---- several ---- */

static bool gives_up(void *arg)
{
	const struct search *s = arg;

	return limit_reached(s->p->limit) != LIMIT_NONE;
}

static void add_offers(const struct reduce_offer *offers, size_t n, struct strbuf *to)
{
	strbuf_add_char(to, '{');
	for (size_t i = 0; i < n; i++) {
		strbuf_add(to, i ? ", " : "");
		nested_add_op(&offers[i].op, to);
		strbuf_add(to, offers[i].enabled ? "" : " (waits)");
	}
	strbuf_add_char(to, '}');
}

static void say_diverged(struct search *s, const struct reduce_offer *offers, size_t n)
{
	const struct reduce_point *p = &s->tree.path.items[s->tree.at];

	strbuf_clear(&s->diverged);
	strbuf_addf(&s->diverged,
		    "uncontrolled nondeterminism: after the same %zu choices threads stood at ",
		    s->tree.at);
	add_offers(reduce_offers(&s->tree, p), p->offers, &s->diverged);
	strbuf_add(&s->diverged, " before and stand at ");
	add_offers(offers, n, &s->diverged);
	strbuf_add(&s->diverged, " now");
}

/*
 * In a quick search turns are taken and threads return as soon as they can, and time passes when
 * nothing else is left.  Whether there was such a thing to do.
 */
static bool go_at_once(struct search *s, const struct reduce_offer *offers, size_t n,
		       uint32_t *thread)
{
	const struct reduce_offer *first = NULL, *last = NULL;

	vec_clear(&s->open);
	for (size_t i = 0; i < n; i++) {
		if (offers[i].op.kind == REDUCE_TIMER)
			last = &offers[i];
		else if (offers[i].op.object == NESTED_OBJECT_SCHEDULE)
			first = first ? first : &offers[i];
		else
			vec_push(&s->open, offers[i]);
	}
	for (size_t i = 0; i < s->open.count; i++)
		if (s->open.items[i].enabled)
			last = NULL;
	first = first ? first : last;
	if (first)
		*thread = first->op.thread;
	return first != NULL;
}

static int choose(void *arg, const struct reduce_offer *offers, size_t n, uint32_t *thread)
{
	struct search *s = arg;

	if (s->quick && go_at_once(s, offers, n, thread))
		return 0;
	if (s->quick) {
		offers = s->open.items;
		n = s->open.count;
	}

	if (++s->decisions > DECISIONS_MOST) {
		s->last = REDUCE_GIVEN_UP;
		nested_give_reason(s->result, "an execution with too many decisions was given up");
		return 1;
	}
	s->last = reduce_next(&s->tree, offers, n, REDUCE_ANY, thread);
	if (s->last == REDUCE_DIVERGED)
		say_diverged(s, offers, n);
	return s->last != REDUCE_PERFORM;
}

static int choose_any(void *arg, const struct reduce_offer *offers, size_t n, uint32_t *thread)
{
	struct search *s = arg;
	uint64_t ways = 0, pick;

	for (size_t i = 0; i < n; i++)
		ways += offers[i].enabled;
	if (!ways || ++s->decisions > DECISIONS_MOST)
		return 1;
	probe_pass(&s->probe, ways);
	pick = rng_below(&s->rng, ways);
	for (size_t i = 0; i < n; i++)
		if (offers[i].enabled && pick-- == 0)
			*thread = offers[i].op.thread;
	return 0;
}

/* What keeps any execution of a search from counting. */
static void look_at_open(struct search *s, const struct nested_run *run)
{
	struct strbuf why = STRBUF_INIT;

	nested_loose_of(run, true, &why);
	nested_give_reasons(s->result, &why);
	if (run->end == NESTED_HUNG)
		nested_give_reason(s->result, "a run did not end: no progress for the hang limit");
	if (run->end == NESTED_CUT)
		nested_give_reason(s->result, limit_text(limit_reached(s->p->limit)));
	s->result->odd_status += run->end == NESTED_ENDED && run->status != 0;
}

static int probe(struct search *s, struct err *e)
{
	int rc = 0;

	rng_seed(&s->rng, 1);
	for (int i = 0; rc == 0 && i < PROBES && !s->over; i++) {
		struct nested_run run = {.status = 0};

		s->decisions = 0;
		probe_begin(&s->probe);
		rc = nested_execute(s->p, choose_any, s, &run, e);
		if (rc == 0) {
			s->result->executions++;
			if (run.end == NESTED_ENDED || run.end == NESTED_STUCK)
				probe_end(&s->probe);
			look_at_open(s, &run);
			rc = nested_note_failure(s->p, s->result, &run, true, e);
		}
		s->over = (s->result->findings.count && !s->plan->keep_going) ||
			  limit_reached(s->p->limit) != LIMIT_NONE || run.end == NESTED_HUNG;
		nested_run_fini(&run);
	}
	s->result->knuth = probe_mean(&s->probe);
	probe_interval(&s->probe, &s->result->knuth_low, &s->result->knuth_high);
	return rc;
}

static uint64_t note_hash(struct hashes *all, uint64_t hash)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->items[i] == hash)
			return all->count;
	vec_push(all, hash);
	return all->count;
}

static void note_orders(struct search *s, const struct nested_run *run)
{
	uint64_t log = lookup_mix(run->order_hash, run->launch.ctl->hash);

	s->result->orders = note_hash(&s->orders, run->order_hash);
	s->result->distinct = note_hash(&s->logs, log);
}

static void estimate(struct search *s)
{
	double share = 0, explored;
	VEC(struct estimate_point) points = VEC_INIT;

	for (size_t i = 0; i < s->tree.path.count; i++) {
		struct estimate_point p;

		reduce_ways(&s->tree.path.items[i], s->plan->whole, &p.ways, &p.done);
		share = estimate_split(share, p.ways);
		vec_push(&points, p);
	}
	explored = estimate_stack(points.items, points.count);
	/* The path that has just ended. */
	explored = explored > share ? explored + log10(1 + pow(10, share - explored))
				    : share + log10(1 + pow(10, explored - share));
	s->result->weighted = log10((double)s->result->schedules) - (explored > 0 ? 0 : explored);
	vec_free(&points);
}

/* The execution has come to where nothing more is to be decided. */
static void account(struct search *s, const struct nested_run *run)
{
	uint32_t thread;

	if (run->end == NESTED_ENDED || (run->end == NESTED_STUCK && s->last == REDUCE_PERFORM)) {
		s->last = reduce_next(&s->tree, NULL, 0, REDUCE_ANY, &thread);
		if (s->last == REDUCE_DIVERGED)
			say_diverged(s, NULL, 0);
	}
	if (s->last == REDUCE_REDUNDANT) {
		s->result->redundant++;
	} else if (s->last == REDUCE_LEAF) {
		s->result->schedules++;
		note_orders(s, run);
		estimate(s);
	} else {
		s->over = true;
	}
	if (s->last == REDUCE_DIVERGED)
		nested_give_reason(s->result, s->diverged.text);
	else if (s->over && run->end != NESTED_HUNG)
		nested_give_reason(s->result, limit_reached(s->p->limit) != LIMIT_NONE
						      ? limit_text(limit_reached(s->p->limit))
						      : "a run was not followed to its end");
}

static int search_one(struct search *s, struct err *e)
{
	struct nested_run run = {.status = 0};
	int rc;

	s->decisions = 0;
	s->last = REDUCE_PERFORM;
	reduce_begin(&s->tree);
	rc = nested_execute(s->p, choose, s, &run, e);
	if (rc == 0) {
		struct nested_progress now = {.executions = ++s->result->executions};

		look_at_open(s, &run);
		account(s, &run);
		if (s->last == REDUCE_LEAF)
			rc = nested_note_failure(s->p, s->result, &run, true, e);
		now.expected = s->result->weighted;
		if (s->plan->progress)
			s->plan->progress(s->plan->arg, &now);
	}
	nested_run_fini(&run);
	return rc;
}

static int search(struct search *s, struct err *e)
{
	int rc = 0;

	s->result->schedules = 0;
	s->result->redundant = 0;
	s->result->weighted = HUGE_VAL;
	do {
		rc = search_one(s, e);
		if (s->result->findings.count && !s->plan->keep_going)
			s->over = true;
		if (s->plan->executions && s->result->executions >= s->plan->executions &&
		    !s->over) {
			nested_give_reason(s->result, "the limit of executions was reached");
			s->over = true;
		}
	} while (rc == 0 && !s->over && reduce_backtrack(&s->tree));
	if (s->over)
		s->result->complete = false;
	return rc;
}

/*
 * First only the orders in sections: they are few, and most failures need no more.  With sections
 * that end at a turn there is nothing else.
 */
static int search_both(struct search *s, struct err *e)
{
	int rc = 0;

	s->quick = !s->plan->whole && !s->p->det;
	if (s->quick) {
		rc = search(s, e);
		s->result->quick = s->result->complete ? s->result->schedules : 0;
		reduce_fini(&s->tree);
		s->tree.at = 0;
	}
	s->quick = false;
	return rc == 0 && !s->over ? search(s, e) : rc;
}

static int check_open(struct nested_program *p, const struct nested_plan *plan,
		      struct nested_result *r, struct err *e)
{
	struct search s = {
		.p = p,
		.plan = plan,
		.result = r,
		.tree = {.whole = plan->whole, .appear = true, .gives_up = gives_up},
	};
	int rc;

	s.tree.arg = &s;
	r->orders = r->distinct = 0;
	rc = probe(&s, e);
	if (rc == 0 && !s.over)
		rc = search_both(&s, e);
	else
		r->complete = false;
	reduce_fini(&s.tree);
	probe_fini(&s.probe);
	strbuf_free(&s.diverged);
	vec_free(&s.orders);
	vec_free(&s.logs);
	vec_free(&s.open);
	return rc;
}

static void finding_fini(struct nested_finding *f)
{
	nested_failure_fini(&f->failure);
	vec_free(&f->choices);
}

/*
 * What failed where nobody decided may never come back; if the search met the same, that is the one
 * to show.
 */
static int search_after(struct nested_program *p, const struct nested_plan *plan,
			struct nested_result *r, struct err *e)
{
	bool had = r->findings.count > 0;
	struct nested_finding before = had ? r->findings.items[0] : (struct nested_finding){0};
	int rc;

	r->findings.count = 0;
	rc = check_open(p, plan, r, e);
	if (had && !nested_is_known(r, &before.failure))
		vec_push(&r->findings, before);
	else if (had)
		finding_fini(&before);
	return rc;
}

int nested_check(struct nested_program *p, const struct nested_plan *plan,
		 struct nested_result *result, struct err *e)
{
	int rc;

	*result = (struct nested_result){.complete = true};
	rc = nested_run_plain(p, result, PLAIN_RUNS, e);
	if (rc == 0 && result->sections && limit_reached(p->limit) == LIMIT_NONE)
		rc = search_after(p, plan, result, e);
	return rc;
}

void nested_result_fini(struct nested_result *r)
{
	for (size_t i = 0; i < r->findings.count; i++)
		finding_fini(&r->findings.items[i]);
	vec_free(&r->findings);
	strbuf_free(&r->reason);
}
