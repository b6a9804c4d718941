#include "run/confirm/fence.h"

#include <stdio.h>
#include <string.h>

#include "base/limit.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "run/confirm/hasten.h"
#include "run/confirm/hitting.h"
#include "trace/elf/sites.h"

#define MAX_SEARCHES 64

/* A load or store that a store at a site was late for, from the execution that showed it first. */
struct witness {
	struct wire_fence fence;
	uint32_t store_site, other_site;
	uint32_t order; /* enum wire_order of the store */
};

struct advisor {
	const struct run_fence_opts *o;
	struct model_weak *out;
	unsigned searches;
	VEC(uint64_t) passed; /* keys of failures that show under SC */
	struct run_clauses clauses;
	VEC(struct witness) witnesses;
	struct wire_fence fences[WIRE_MAX_FENCES];
	unsigned fence_count;
};

void run_fence_answer_free(struct run_fence_answer *a)
{
	vec_free(&a->keys);
	vec_free(&a->schedule);
}

static bool give_up(struct advisor *v, const char *why)
{
	snprintf(v->out->why, sizeof(v->out->why), "%s", why);
	return false;
}

static bool may_search(struct advisor *v)
{
	unsigned max = v->o->max_searches ? v->o->max_searches : MAX_SEARCHES;

	if (v->searches >= max)
		return give_up(v, "too many different failing executions");
	if (limit_reached(v->o->limit) != LIMIT_NONE)
		return give_up(v, limit_text(limit_reached(v->o->limit)));
	return true;
}

static bool has_key(const uint64_t *keys, size_t n, uint64_t key)
{
	for (size_t i = 0; i < n; i++)
		if (keys[i] == key)
			return true;
	return false;
}

/* 1: *a holds the answer.  0: the search was cut short, and `why' says so. */
static int search(struct advisor *v, struct run_fence_query *q, struct run_fence_answer *a,
		  struct err *e)
{
	int rc;

	*a = (struct run_fence_answer){.found = false};
	if (!may_search(v))
		return 0;
	q->passed = v->passed.items;
	q->passed_count = v->passed.count;
	v->searches++;
	rc = v->o->search(v->o->arg, q, a, e);
	log_info(LOG_RUN, "fences: search %u under model %u with %u fences: %s", v->searches,
		 q->model, q->fence_count, a->found ? "fails" : "clean");
	if (rc != 0)
		return rc;
	if (a->found || a->effort.kind != SEARCH_NONE)
		return 1;
	give_up(v, "the search was cut short");
	return 0;
}

/* ---- which model ---- */

void run_fence_cache_fini(struct run_fence_cache *c)
{
	for (unsigned i = 0; i < MODEL_COUNT; i++)
		vec_free(&c->models[i].keys);
	memset(c, 0, sizeof(*c));
}

static void copy_keys(struct run_fence_cache *to, enum wire_model model,
		      const struct run_fence_answer *a)
{
	to->models[model].is_there = true;
	to->models[model].effort = a->effort;
	for (size_t i = 0; i < a->keys.count; i++)
		vec_push(&to->models[model].keys, a->keys.items[i]);
}

/* All failures under a stronger model, as search() answers. */
static int search_stronger(struct advisor *v, enum wire_model model, struct run_fence_answer *a,
			   struct err *e)
{
	struct run_fence_query q = {.model = model, .all = true};
	struct run_fence_cache *cache = v->o->cache;
	int rc;

	if (!cache || !cache->models[model].is_there) {
		rc = search(v, &q, a, e);
		if (rc == 1 && cache)
			copy_keys(cache, model, a);
		return rc;
	}
	*a = (struct run_fence_answer){.effort = cache->models[model].effort};
	for (size_t i = 0; i < cache->models[model].keys.count; i++)
		vec_push(&a->keys, cache->models[model].keys.items[i]);
	return 1;
}

/* Looks for the failure under a stronger model.  1: it does not show there.  0: it does, or why. */
static int is_absent(struct advisor *v, enum wire_model model, struct err *e)
{
	struct run_fence_answer a;
	int rc = search_stronger(v, model, &a, e);

	if (rc == 1 && has_key(a.keys.items, a.keys.count, v->o->key)) {
		v->out->needs = model;
		rc = 0;
	} else if (rc == 1) {
		v->out->rest[model] = a.effort;
	}
	for (size_t i = 0; model == MODEL_SC && i < a.keys.count; i++)
		vec_push(&v->passed, a.keys.items[i]);
	run_fence_answer_free(&a);
	return rc;
}

/* 1: weak memory is needed, as far as one can tell. */
static int needs_weak_memory(struct advisor *v, const struct run_result *r, struct err *e)
{
	struct model_delays d = VEC_INIT;
	bool late;
	int rc;

	model_delays_find(&d, r->events.items, r->events.count);
	late = d.count > 0;
	vec_free(&d);
	if (!late) {
		v->out->needs = MODEL_SC;
		v->out->by_schedule = true;
		return 0;
	}
	rc = is_absent(v, MODEL_SC, e);
	for (uint32_t m = MODEL_SC + 1; rc == 1 && m < v->out->found; m++)
		rc = is_absent(v, (enum wire_model)m, e);
	if (rc == 0 && v->out->needs != MODEL_SC && !v->out->why[0])
		rc = 1;
	return rc;
}

/* ---- clauses ---- */

/* Does the thread of this late store issue one at the site, before another overtakes it? */
static bool stands_between(const struct wire_event *events, const struct model_delay *d,
			   uint32_t site)
{
	for (size_t i = d->issue + 1; i < d->past_store; i++)
		if (events[i].kind == EVENT_ISSUE && events[i].site == site &&
		    events[i].tid == events[d->issue].tid)
			return true;
	return false;
}

/* The first load after a store at the fence, or the older store that a later one overtook. */
static void find_other(struct witness *w, const struct wire_event *events,
		       const struct model_delays *d)
{
	for (size_t i = 0; i < d->count; i++) {
		const struct model_delay *late = &d->items[i];
		const struct wire_event *issue = &events[late->issue];

		if (w->fence.kind == FENCE_RELEASE && late->past_store != MODEL_DELAY_NONE &&
		    stands_between(events, late, w->fence.site)) {
			w->other_site = issue->site;
			return;
		}
		if (w->fence.kind == FENCE_FULL && late->past_load != MODEL_DELAY_NONE &&
		    issue->site == w->fence.site) {
			w->other_site = events[late->past_load].site;
			return;
		}
	}
}

static void add_witness(struct advisor *v, const struct wire_fence *f, const struct run_result *r,
			const struct model_delays *d)
{
	struct witness w = {*f, f->site, SITE_NONE, ORDER_PLAIN};

	for (size_t i = 0; i < v->witnesses.count; i++)
		if (v->witnesses.items[i].fence.site == f->site &&
		    v->witnesses.items[i].fence.kind == f->kind)
			return;
	for (size_t i = 0; i < r->events.count; i++)
		if (r->events.items[i].kind == EVENT_ISSUE && r->events.items[i].site == f->site)
			w.order = r->events.items[i].aux & 7;
	find_other(&w, r->events.items, d);
	vec_push(&v->witnesses, w);
}

/* The fences this execution breaks; those it was run with are kept, whatever the log looks like. */
static bool add_clause(struct advisor *v, const struct run_result *r)
{
	struct model_fences broken = VEC_INIT, clause = VEC_INIT;
	struct model_delays d = VEC_INIT;

	model_delays_find(&d, r->events.items, r->events.count);
	model_fences_broken(&broken, r->events.items, r->events.count);
	for (size_t i = 0; i < broken.count; i++) {
		if (model_fences_have(v->fences, v->fence_count, &broken.items[i]))
			continue;
		vec_push(&clause, broken.items[i]);
		add_witness(v, &broken.items[i], r, &d);
	}
	vec_free(&d);
	vec_free(&broken);
	if (clause.count == 0) {
		vec_free(&clause);
		return false;
	}
	run_clauses_add(&v->clauses, &clause);
	return true;
}

/* ---- the loop ---- */

/* Runs the failure again with its events and with as few late stores as possible. */
static int look_at(struct advisor *v, struct run_fence_answer *a, struct run_result *r,
		   struct err *e)
{
	struct run_again again = v->o->again;
	int rc;

	again.job = a->job;
	again.job.model = v->o->again.job.model;
	again.job.fence_count = v->fence_count;
	memcpy(again.job.fences, v->fences, sizeof(v->fences));
	rc = run_confirm(&again, a->schedule.items, a->schedule.count, a->key, r, e);
	return rc == 0 ? run_hasten(&again, a->key, &a->schedule, r, e) : rc;
}

/* A failure although the fences are there.  1: its clause was added.  0: given up. */
static int learn(struct advisor *v, struct run_fence_answer *a, struct err *e)
{
	struct run_result r = RUN_RESULT_INIT;
	struct err why = ERR_INIT;
	int rc = look_at(v, a, &r, &why);

	if (rc == 0 && add_clause(v, &r)) {
		rc = 1;
	} else if (rc == 0 && a->key != v->o->key) {
		/* Another failure, and it needs no late store. */
		vec_push(&v->passed, a->key);
		rc = 1;
	} else if (rc == 0) {
		v->out->needs = MODEL_SC;
		give_up(v, "it shows without a late store as well");
	} else if (rc == ERR_MISMATCH) {
		give_up(v, why.text);
		rc = 0;
	} else if (e) {
		*e = why;
	}
	run_result_free(&r);
	return rc;
}

/* One round: the best fences for what is known, and a search with them.  1: go on. */
static int try_fences(struct advisor *v, struct err *e)
{
	int n = run_clauses_hit(&v->clauses, v->fences, WIRE_MAX_FENCES);
	struct run_fence_query q = {.model = v->out->found, .fences = v->fences};
	struct run_fence_answer a;
	int rc;

	v->fence_count = n > 0 ? (unsigned)n : 0;
	if (n < 0) {
		give_up(v, "too many fences would be needed");
		return 0;
	}
	q.fence_count = v->fence_count;
	rc = search(v, &q, &a, e);
	if (rc == 1 && a.found) {
		rc = learn(v, &a, e);
	} else if (rc == 1) {
		v->out->with = a.effort;
		v->out->fence_count = v->fence_count;
		rc = 0;
	}
	run_fence_answer_free(&a);
	return rc;
}

/* ---- names ---- */

static void name_place(struct model_weak_place *p, const struct trace_sites *sites, uint32_t site)
{
	const struct trace_site *s = trace_sites_find(sites, site);
	struct strbuf text = STRBUF_INIT;

	if (!s)
		return;
	trace_site_place(s, true, &text);
	snprintf(p->place, sizeof(p->place), "%s", text.text);
	snprintf(p->name, sizeof(p->name), "%s", s->name);
	strbuf_free(&text);
}

static void name_fence(struct advisor *v, struct model_weak_fence *f,
		       const struct trace_sites *sites)
{
	for (size_t i = 0; i < v->witnesses.count; i++) {
		const struct witness *w = &v->witnesses.items[i];

		if (w->fence.site != f->fence.site || w->fence.kind != f->fence.kind)
			continue;
		f->atomic = w->order != ORDER_PLAIN;
		name_place(&f->store, sites, w->store_site);
		name_place(&f->other, sites, w->other_site);
	}
}

/* Two fences at one store become one entry. */
static void put_fence(struct advisor *v, unsigned which, const struct trace_sites *sites)
{
	struct model_weak_fence f = {.fence = v->fences[which]};

	for (unsigned i = 0; i < v->fence_count; i++) {
		if (i == which || v->fences[i].site != f.fence.site)
			continue;
		if (f.fence.kind == FENCE_RELEASE)
			return;
		f.both = true;
	}
	name_fence(v, &f, sites);
	v->out->fences[v->out->fence_count++] = f;
}

/* Sites of executions that no bundle keeps: their names come from the program itself. */
static int name_fences(struct advisor *v, const struct run_result *r, struct err *e)
{
	struct trace_sites sites = {.items = NULL};
	VEC(struct wire_module) modules = VEC_INIT;
	int rc;

	for (size_t i = 0; i < r->modules.count; i++) {
		struct wire_module m = r->modules.items[i];

		if (!m.path[0])
			snprintf(m.path, sizeof(m.path), "%s", v->o->program);
		vec_push(&modules, m);
	}
	rc = trace_sites_from_modules(&sites, modules.items, modules.count, e);
	v->out->fence_count = 0;
	for (unsigned i = 0; rc == 0 && i < v->fence_count; i++)
		put_fence(v, i, &sites);
	trace_sites_fini(&sites);
	vec_free(&modules);
	return rc;
}

static int advise(struct advisor *v, const struct run_result *r, struct err *e)
{
	int rc = needs_weak_memory(v, r, e);

	if (rc != 1)
		return rc;
	if (!add_clause(v, r)) {
		give_up(v, "its late stores have no place in the source");
		return 0;
	}
	do
		rc = try_fences(v, e);
	while (rc == 1);
	return rc == 0 && v->out->fence_count > 0 ? name_fences(v, r, e) : rc;
}

int run_fence_advise(const struct run_fence_opts *o, const struct run_result *r,
		     struct model_weak *out, struct err *e)
{
	struct advisor v = {.o = o, .out = out};
	int rc;

	*out = (struct model_weak){.found = o->again.job.model, .needs = o->again.job.model};
	if (out->found == MODEL_SC)
		return 0;
	rc = advise(&v, r, e);
	out->searches = v.searches;
	vec_free(&v.passed);
	vec_free(&v.witnesses);
	run_clauses_free(&v.clauses);
	return rc;
}
