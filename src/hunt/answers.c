/* Questions asked, and what comes of their answers: failures, proofs, what stays open. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "hunt/okay.h"
#include "hunt/search_priv.h"
#include "trace/elf/elf_sites.h"

#define TOGETHER_NS UINT64_C(10000000)
#define MANY_EVENTS 50
#define PROOF_RULES "proofs 2" /* one more when they were wrong, or their keys change */
#define AFTER_FOUND_NS UINT64_C(1000000000)

void hunt_undecided(struct hunt_search *s, uint32_t site, const char *why)
{
	const struct trace_site *p = trace_sites_find(&s->sites, site);

	s->counts.undecided++;
	if (s->counts.reason[0])
		return;
	snprintf(s->counts.reason, sizeof(s->counts.reason), "%s", why);
	if (p && p->file)
		snprintf(s->counts.place, sizeof(s->counts.place), "%s:%" PRIu32, p->file, p->line);
}

static void count_question(struct hunt_search *s, uint64_t took)
{
	s->counts.questions++;
	s->counts.solve_ns += took;
	s->counts.longest_ns = took > s->counts.longest_ns ? took : s->counts.longest_ns;
}

void hunt_search_ask(struct hunt_search *s, const struct hunt_exec *x, struct hunt_question *q,
		     struct hunt_reply *out)
{
	struct limit limit = limit_within(&s->limit, HUNT_QUESTION_NS);
	uint64_t begin = limit_now();

	q->limit = &limit;
	hunt_ask(x, q, out);
	count_question(s, limit_now() - begin);
}

static bool has_site(const uint32_t *sites, size_t n, uint32_t site)
{
	for (size_t i = 0; i < n; i++)
		if (sites[i] == site)
			return true;
	return false;
}

/*
 * Processes cost a few milliseconds: they have to be worth it, going by what questions took, and as
 * long as none was asked, by the length of the execution.
 */
static bool worth_processes(const struct hunt_search *s, const struct hunt_exec *x, size_t n)
{
	size_t events = 0;

	if (s->o.jobs <= 1 || n <= 1)
		return false;
	if (s->counts.questions)
		return s->counts.solve_ns / s->counts.questions * n >= TOGETHER_NS;
	for (size_t i = 0; i < x->trace.threads.count; i++)
		events += x->trace.threads.items[i].events.count;
	return events >= MANY_EVENTS;
}

bool hunt_search_ask_all(struct hunt_search *s, const struct hunt_exec *x, struct hunt_asked *items,
			 size_t n)
{
	struct hunt_ask_opts o = {s->o.jobs, HUNT_QUESTION_NS, &s->limit};

	if (!worth_processes(s, x, n))
		return false;
	hunt_ask_all(x, &o, items, n);
	for (size_t i = 0; i < n; i++)
		count_question(s, items[i].took_ns);
	s->counts.together += n;
	return true;
}

bool hunt_is_found(const struct hunt_search *s, uint32_t site)
{
	return has_site(s->found.items, s->found.count, site);
}

/* The run it came from, to be set beside it; without a schedule there is none, which is no harm. */
static void show_passing(struct hunt_search *s, uint32_t run)
{
	struct limit limit = limit_within(&s->o.limit[0], HUNT_QUESTION_NS);
	struct hunt_exec_opts o = {.program = &s->program,
				   .run = &s->runs.items[run]->source,
				   .max_rounds = HUNT_ROUNDS,
				   .max_instructions = HUNT_INSTRUCTIONS,
				   .limit = &limit};
	struct model_schedule schedule = VEC_INIT;
	struct err e = ERR_INIT;
	struct hunt_exec x;

	if (!s->o.passes || hunt_execute(&o, &x, &e) != 0)
		return;
	if (hunt_okay_schedule(&x, &limit, &schedule) == SOLVE_SAT)
		s->o.passes(s->o.arg, &schedule);
	vec_free(&schedule);
	hunt_exec_fini(&x);
}

void hunt_candidate(struct hunt_visit *v, uint32_t site, const char *what,
		    const struct hunt_reply *r)
{
	struct hunt_search *s = v->s;
	struct hunt_found f = {.site = site,
			       .flips = v->node->flips,
			       .tries = s->counts.tries,
			       .synthesised = s->counts.synthesised,
			       .schedule = &r->schedule};
	uint64_t spent = limit_now() - s->begin_ns;

	if (hunt_is_found(s, site))
		return;
	snprintf(f.what, sizeof(f.what), "%s", what);
	if (!s->o.confirm(s->o.arg, &f)) {
		hunt_undecided(s, site, "an order that should fail did not when it was run");
		return;
	}
	vec_push(&s->found, site);
	show_passing(s, v->node->run);
	/* What else there is to find gets as much time again. */
	s->limit = limit_within(&s->o.limit[0], spent > AFTER_FOUND_NS ? spent : AFTER_FOUND_NS);
}

static void note_assertion(struct hunt_search *s, uint32_t site)
{
	if (has_site(s->asserted.items, s->asserted.count, site))
		return;
	vec_push(&s->asserted, site);
	s->counts.assertions++;
}

/* The pair of both; proofs of another version of the rules are none. */
static void pair_key(const struct hunt_visit *v, const struct hunt_assertion *a,
		     struct hunt_key *out)
{
	struct {
		char rules[16];
		uint64_t site, thread, place, nth;
		struct hunt_key combination;
	} all = {.rules = PROOF_RULES,
		 .site = a->site,
		 .thread = a->thread,
		 .place = a->place,
		 .nth = a->nth,
		 .combination = v->key};

	sha256(&all, sizeof(all), out->bytes);
}

bool hunt_is_proved(const struct hunt_visit *v, const struct hunt_assertion *a)
{
	struct hunt_key key;

	note_assertion(v->s, a->site);
	pair_key(v, a, &key);
	if (!v->s->o.known || !v->s->o.known(v->s->o.arg, &key))
		return false;
	v->s->counts.proved++;
	v->s->counts.known++;
	return true;
}

void hunt_prove(struct hunt_visit *v, const struct hunt_assertion *a)
{
	const struct trace_site *site = trace_sites_find(&v->s->sites, a->site);
	struct strbuf place = STRBUF_INIT;
	struct hunt_key key;

	v->s->counts.proved++;
	if (!v->s->o.proved)
		return;
	pair_key(v, a, &key);
	if (site)
		trace_site_place(site, true, &place);
	v->s->o.proved(v->s->o.arg, &key, place.text ? place.text : "");
	strbuf_free(&place);
}
