/* What to do, and how far everything is known. */
#include <inttypes.h>

#include "report/explain/story.h"

void report_story_site(const struct report_story *s, uint32_t site, struct strbuf *to)
{
	/* The failing execution may have ended before it came there. */
	if (s->passing && !trace_sites_find(&s->x->failing.bundle.sites, site))
		report_names_place(s->passing, site, to);
	else
		report_names_place(s->failing, site, to);
}

void report_story_proof(const struct report_story *s, struct strbuf *to)
{
	const struct explanation_proof *p = &s->x->proof;
	uint32_t roots = explanation_roots(s->x);

	if (!s->x->found)
		return;
	if (roots == 0) {
		strbuf_add(to, "what decides was not narrowed down to single flows");
		return;
	}
	if (!p->decides) {
		strbuf_addf(to,
			    "not shown to decide: of %" PRIu64 " schedules with %s, %" PRIu64
			    " failed",
			    p->with, roots == 1 ? "it" : "all of them", p->failed);
		return;
	}
	strbuf_addf(to,
		    "tested on %" PRIu64 " schedules: all %" PRIu64 " with %s fail; of %" PRIu64
		    " without, %" PRIu64 " pass",
		    p->with + p->without, p->with, roots == 1 ? "it" : "all of them", p->without,
		    p->passed);
}

static void add_what(const struct report_story *s, const struct explanation_advice *a,
		     struct strbuf *to)
{
	const uint32_t *sites = a->sites.items;

	switch (a->kind) {
	case ADVICE_ATOMIC:
		strbuf_add(to, "make ");
		report_story_site(s, sites[0], to);
		strbuf_add(to, " to ");
		report_story_site(s, sites[1], to);
		strbuf_add(to, " atomic: one critical section that nobody else can come into");
		break;
	case ADVICE_ORDER:
		strbuf_add(to, "let ");
		report_story_site(s, sites[0], to);
		strbuf_add(to, " happen before ");
		report_story_site(s, sites[1], to);
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
		strbuf_add(to, "put a full fence after the store at ");
		report_story_site(s, sites[0], to);
		if (a->sites.count > 1) {
			strbuf_add(to, ", before ");
			report_story_site(s, sites[1], to);
		}
		break;
	case ADVICE_WAKEUP:
		strbuf_add(to, a->broadcast
				       ? "wake all sleepers (broadcast, notify_all) instead of "
					 "one"
				       : "signal under the mutex after changing what the wait "
					 "at ");
		if (!a->broadcast) {
			report_story_site(s, sites[0], to);
			strbuf_add(to, " checks, and check it in a loop before sleeping");
			break;
		}
		for (size_t i = 1; i < a->sites.count; i++) {
			strbuf_add(to, i == 1 ? " at " : ", ");
			report_story_site(s, sites[i], to);
		}
		break;
	}
}

void report_story_advice(const struct report_story *s, const struct explanation_advice *a,
			 struct strbuf *to)
{
	add_what(s, a, to);
	if (!a->checked)
		strbuf_add(to, " [not tested]");
	else if (a->failed == 0 && a->kind == ADVICE_WAKEUP)
		strbuf_addf(to,
			    " [tested on %" PRIu64
			    " schedules that hang: with all awake, each ends]",
			    a->schedules);
	else if (a->failed == 0)
		strbuf_addf(to, " [tested on %" PRIu64 " schedules that keep to it: none fails so]",
			    a->schedules);
	else
		strbuf_addf(to,
			    " [not enough: of %" PRIu64 " schedules that keep to it %" PRIu64
			    " fail so]",
			    a->schedules, a->failed);
}
