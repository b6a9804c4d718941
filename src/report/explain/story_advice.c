/* What to do, and how far everything is known. */
#include <inttypes.h>
#include <string.h>

#include "report/explain/story.h"

/* The first event of a side that is at the site, EXPLANATION_NONE. */
static uint32_t first_at(const struct report_story *s, int side, uint32_t site)
{
	const struct trace_bundle *b = &report_story_side(s, side)->bundle;

	for (size_t i = 0; i < b->events.count; i++)
		if (b->events.items[i].site == site)
			return (uint32_t)i;
	return EXPLANATION_NONE;
}

/* A place in a library is that of the user's call, as far as an event tells. */
static uint32_t site_of_user(const struct report_story *s, uint32_t site, int *side)
{
	for (*side = 0; *side < (s->passing ? 2 : 1); ++*side) {
		uint32_t event = first_at(s, *side, site);

		if (event != EXPLANATION_NONE)
			return report_names_site(report_story_names(s, *side), event);
	}
	*side = s->passing && !trace_sites_find(&s->x->failing.bundle.sites, site);
	return site;
}

void report_story_site(const struct report_story *s, uint32_t site, struct strbuf *to)
{
	int side;
	uint32_t user = site_of_user(s, site, &side);

	/* The failing execution may have ended before it came there. */
	report_names_place(report_story_names(s, side), user, to);
}

static void add_why_not_all(const struct explanation_proof *p, struct strbuf *to)
{
	if (!p->proved && p->not_all[0])
		strbuf_addf(to, "; not a proof: %s", p->not_all);
}

void report_story_proof(const struct report_story *s, struct strbuf *to)
{
	const struct explanation_proof *p = &s->x->proof;
	uint32_t roots = explanation_roots(s->x);
	uint64_t n = p->with + p->without;

	if (!s->x->found)
		return;
	if (roots == 0) {
		strbuf_add(to, "what decides was not narrowed down to single flows");
	} else if (!p->decides) {
		strbuf_addf(to,
			    "not shown to decide: of %" PRIu64 " executions with %s, %" PRIu64
			    " failed",
			    p->with, roots == 1 ? "it" : "all of them", p->failed);
	} else if (p->proved) {
		strbuf_addf(to,
			    "proved: the program has %" PRIu64 " executions; %s%" PRIu64
			    " with %s fail%s, and of the %" PRIu64 " without, %" PRIu64 " pass%s",
			    n, p->with == 1 ? "the " : "all ", p->with,
			    roots == 1 ? "it" : "all of them", p->with == 1 ? "s" : "", p->without,
			    p->passed, roots > 1 ? "; none of them can be left out" : "");
	} else {
		strbuf_addf(to,
			    "tested on %" PRIu64 " different executions: %s%" PRIu64
			    " with %s fail%s; of %" PRIu64 " without, %" PRIu64 " pass",
			    n, p->with == 1 ? "the " : "all ", p->with,
			    roots == 1 ? "it" : "all of them", p->with == 1 ? "s" : "", p->without,
			    p->passed);
	}
	add_why_not_all(p, to);
}

static const struct trace_site *site_of(const struct report_story *s, uint32_t site)
{
	int side;
	uint32_t user = site_of_user(s, site, &side);

	return trace_sites_find(&report_story_side(s, side)->bundle.sites, user);
}

static bool same_line(const struct report_story *s, uint32_t a, uint32_t b)
{
	const struct trace_site *x = site_of(s, a), *y = site_of(s, b);

	return x && y && x->line && x->line == y->line && strcmp(x->file, y->file) == 0;
}

/* "a.c:12 to a.c:14", "a.c:12 (from the read of n to the write of n)" when it is one line. */
static void add_region(const struct report_story *s, const uint32_t *sites, struct strbuf *to)
{
	report_story_site(s, sites[0], to);
	if (!same_line(s, sites[0], sites[1])) {
		strbuf_add(to, " to ");
		report_story_site(s, sites[1], to);
	}
}

static bool same_lines(const struct report_story *s, const uint32_t *a, const uint32_t *b)
{
	return same_line(s, a[0], b[0]) && same_line(s, a[1], b[1]);
}

/* Regions on the same lines are said once. */
static void add_regions(const struct report_story *s, const struct explanation_advice *a,
			struct strbuf *to)
{
	strbuf_add(to, "make ");
	for (size_t i = 0; i + 1 < a->sites.count; i += 2) {
		bool twin = false;

		for (size_t k = 0; k < i && !twin; k += 2)
			twin = same_lines(s, &a->sites.items[k], &a->sites.items[i]);
		if (twin)
			continue;
		strbuf_add(to, i == 0 ? "" : i + 2 < a->sites.count ? ", " : " and ");
		add_region(s, &a->sites.items[i], to);
	}
	strbuf_add(to, a->sites.count > 2 ? " atomic: critical sections of one lock"
					  : " atomic: one critical section that nobody else can "
					    "come into");
}

/* Whom to wake, or when: a signal that finds nobody asleep is lost. */
static void add_wakeup(const struct report_story *s, const struct explanation_advice *a,
		       struct strbuf *to)
{
	if (a->again) {
		strbuf_add(to, "check the condition again after waking (while, not if): between "
			       "the signal and the return of the wait others come in, from ");
		report_story_site(s, a->sites.items[0], to);
		strbuf_add(to, " to ");
		report_story_site(s, a->sites.items[1], to);
		return;
	}
	if (a->broadcast) {
		strbuf_add(to, "wake all sleepers (broadcast, notify_all) instead of one");
		for (size_t i = 1; i < a->sites.count; i++) {
			strbuf_add(to, i == 1 ? " at " : ", ");
			report_story_site(s, a->sites.items[i], to);
		}
		return;
	}
	if (a->check != SITE_NONE) {
		strbuf_add(to, "check at ");
		report_story_site(s, a->check, to);
		strbuf_add(to, " and sleep at ");
		report_story_site(s, a->sites.items[0], to);
		strbuf_add(to, " under one mutex, and change what is checked under the same mutex");
	} else {
		strbuf_add(to, "signal under the mutex after changing what the wait at ");
		report_story_site(s, a->sites.items[0], to);
		strbuf_add(to, " checks, and check it in a loop before sleeping");
	}
}

/* " (writes n)": what is done at a place, without a value. */
static void add_subject(const struct report_story *s, uint32_t site, struct strbuf *to)
{
	struct strbuf text = STRBUF_INIT;
	char *value;

	for (int side = 0; side < (s->passing ? 2 : 1) && !text.length; side++) {
		uint32_t event = first_at(s, side, site);

		if (event != EXPLANATION_NONE)
			report_names_event(report_story_names(s, side), event, &text);
	}
	value = text.text ? strstr(text.text, " = ") : NULL;
	if (value)
		*value = '\0';
	if (text.length)
		strbuf_addf(to, " (%s)", text.text);
	strbuf_free(&text);
}

/* "a.c:12", or "a.c:12 in T1 (f)" when it is about one operation. */
static void add_operation(const struct report_story *s, const struct explanation_advice *a, int i,
			  struct strbuf *to)
{
	uint32_t thread = (uint32_t)(a->keys[i] >> 32);

	report_story_site(s, a->sites.items[i], to);
	if (same_line(s, a->sites.items[0], a->sites.items[1]))
		add_subject(s, a->sites.items[i], to);
	if (!a->keys[i] || thread >= s->x->failing.bundle.threads.count)
		return;
	strbuf_add(to, " in ");
	report_names_thread(s->failing, thread, to);
}

static void add_what(const struct report_story *s, const struct explanation_advice *a,
		     struct strbuf *to)
{
	const uint32_t *sites = a->sites.items;

	switch (a->kind) {
	case ADVICE_ATOMIC:
		add_regions(s, a, to);
		break;
	case ADVICE_ORDER:
		strbuf_add(to, "let ");
		add_operation(s, a, 0, to);
		strbuf_add(to, " happen before ");
		add_operation(s, a, 1, to);
		strbuf_add(to, " (a join or a condition; a lock alone does not order them)");
		break;
	case ADVICE_LOCK_ORDER:
		strbuf_add(to, "take the locks in one order everywhere:");
		for (size_t i = 0; i + 1 < a->sites.count; i += 2) {
			strbuf_add(to, i ? ", " : " ");
			report_story_site(s, sites[i], to);
			strbuf_add(to, " then ");
			report_story_site(s, sites[i + 1], to);
		}
		break;
	case ADVICE_FENCE:
		strbuf_add(to, a->fence == FENCE_RELEASE
				       ? "put a release fence before the store at "
				       : "put a full fence after the store at ");
		report_story_site(s, sites[0], to);
		if (a->sites.count > 1) {
			strbuf_add(to, a->fence == FENCE_RELEASE ? ", after the store at "
								 : ", before the load at ");
			report_story_site(s, sites[1], to);
		}
		break;
	case ADVICE_WAKEUP:
		add_wakeup(s, a, to);
		break;
	}
}

/* How far it is known to help. */
static void add_test(const struct explanation_advice *a, struct strbuf *to)
{
	const char *so = a->failed == 0 ? "none fails so" : "not enough";

	if (!a->checked) {
		strbuf_add(to, " [not tested]");
	} else if (a->kind == ADVICE_WAKEUP && a->broadcast) {
		strbuf_addf(to,
			    a->failed == 0 ? " [tested on %" PRIu64
					     " schedules that hang: with all awake, each ends]"
					   : " [not enough: of %" PRIu64
					     " schedules that hang some hang with all awake, too]",
			    a->schedules);
	} else if (a->kind == ADVICE_FENCE && a->all && a->failed == 0) {
		strbuf_addf(to,
			    " [proved: with all the fences no failure in any of %" PRIu64
			    " states; tested on %" PRIu64 " schedules]",
			    a->executions, a->schedules);
	} else if (a->all && a->failed == 0 && a->kind == ADVICE_LOCK_ORDER) {
		/* Judged by one order of each execution: equivalent ones may take locks otherwise.
		 */
		strbuf_addf(to,
			    " [%" PRIu64 " executions that pass keep to it, none that fails does; "
			    "tested on %" PRIu64 " schedules]",
			    a->executions, a->schedules);
	} else if (a->all && a->failed == 0) {
		strbuf_addf(to,
			    " [proved: no failing execution keeps to it, %" PRIu64
			    " that pass do; tested on %" PRIu64 " schedules]",
			    a->executions, a->schedules);
	} else {
		strbuf_addf(to, " [tested on %" PRIu64 " schedules that keep to it: %s]",
			    a->schedules, so);
	}
}

void report_story_advice(const struct report_story *s, const struct explanation_advice *a,
			 struct strbuf *to)
{
	add_what(s, a, to);
	add_test(a, to);
}
