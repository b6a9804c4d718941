#include "explain/advice_priv.h"

/* Of restrictions that seem to help, so many are tested on new schedules. */
#define MAX_TESTED 6
/* What so few schedules keep to is not known to help, unless they are all. */
#define MIN_SCHEDULES 5

struct explanation_advice *explain_advice_add(struct explain_advices *out,
					      enum explanation_advice_kind kind)
{
	vec_push(out, ((struct explanation_advice){.kind = kind}));
	return &vec_last(out);
}

void explain_advice_add_site(struct explanation_advice *a, uint32_t site)
{
	vec_push(&a->sites, site);
}

void explain_advice_fini(struct explain_advices *a)
{
	for (size_t i = 0; i < a->count; i++)
		vec_free(&a->items[i].sites);
	vec_free(a);
}

static void move_to(struct explanation *out, struct explanation_advice *a)
{
	vec_push(&out->advice, *a);
	*a = (struct explanation_advice){.kind = a->kind, .check = SITE_NONE};
}

/* How many executions seen keep to it, and whether these are all that there are. */
static bool holds_for_all_seen(const struct explain_search *s, struct explanation_advice *a)
{
	uint64_t passed, failed = explain_advice_count(s, a, &passed);

	a->all = s->exhausted;
	a->executions = passed;
	return failed == 0;
}

static bool is_good(const struct explanation_advice *a)
{
	return a->checked && a->failed == 0 && (a->all || a->schedules >= MIN_SCHEDULES);
}

/* The first that holds for everything that was seen and for what is drawn. */
static int take_first_good(struct explain_search *s, uint64_t runs, struct explain_advices *from,
			   struct explanation *out, struct err *e)
{
	unsigned tested = 0;
	int rc = 0;

	for (size_t i = 0; i < from->count && tested < MAX_TESTED && rc == 0; i++) {
		struct explanation_advice *a = &from->items[i];

		if (!holds_for_all_seen(s, a))
			continue;
		tested++;
		rc = explain_advice_test(s, runs, a, e);
		/* What nobody draws was seen all the same. */
		a->checked = a->checked || (a->all && a->executions > 0);
		if (rc == 0 && is_good(a)) {
			move_to(out, a);
			break;
		}
	}
	return rc;
}

/* Fences belong together.  They were searched for; here they are only tried once more. */
static int take_fences(struct explain_search *s, uint64_t runs, struct explanation *out,
		       struct err *e)
{
	struct explain_advices fences = VEC_INIT;
	int rc = 0;

	explain_advice_fences(s, &out->weak, &fences);
	if (fences.count)
		rc = explain_advice_fence_test(s, runs, fences.items, fences.count, e);
	for (size_t i = 0; i < fences.count && rc == 0; i++)
		if (fences.items[i].failed == 0 &&
		    (fences.items[i].all || is_good(&fences.items[i])))
			move_to(out, &fences.items[i]);
	explain_advice_fini(&fences);
	return rc;
}

static int take_locks(struct explain_search *s, uint64_t runs, struct explanation *out,
		      struct err *e)
{
	struct explain_advices locks = VEC_INIT;
	int rc;

	explain_advice_locks(s, &locks);
	rc = take_first_good(s, runs, &locks, out, e);
	explain_advice_fini(&locks);
	return rc;
}

/*
 * Signals that woke the wrong thread are tried as broadcasts.  A signal that nobody heard: the
 * region from the check to the wait is what has to be one, if that is what helps.
 */
static int take_wakeup(struct explain_search *s, uint64_t runs, struct explain_advices *regions,
		       struct explanation *out, struct err *e)
{
	struct explain_advices wakeups = VEC_INIT;
	int rc = 0;

	explain_advice_wakeup(s, &wakeups);
	for (size_t i = 0; i < wakeups.count && rc == 0; i++) {
		struct explanation_advice *w = &wakeups.items[i];

		if (w->broadcast)
			rc = explain_advice_wakeup_test(s, runs, w, e);
		for (size_t k = 0; k < regions->count && !w->broadcast && !w->checked; k++) {
			struct explanation_advice *a = &regions->items[k];

			if (a->kind != ADVICE_ATOMIC || a->sites.items[1] != w->sites.items[0])
				continue;
			if (!holds_for_all_seen(s, a))
				continue;
			rc = explain_advice_test(s, runs, a, e);
			if (rc != 0 || !is_good(a))
				continue;
			w->checked = true;
			w->all = a->all;
			w->executions = a->executions;
			w->schedules = a->schedules;
			w->check = a->sites.items[0];
		}
		if (rc == 0 && w->failed == 0 && (w->checked || !w->broadcast))
			move_to(out, w);
	}
	explain_advice_fini(&wakeups);
	return rc;
}

static bool has_tested(const struct explanation *out)
{
	for (size_t i = 0; i < out->advice.count; i++)
		if (out->advice.items[i].checked)
			return true;
	return false;
}

/* What was tested makes what was not superfluous. */
static void drop_untested(struct explanation *out)
{
	size_t n = 0;

	for (size_t i = 0; i < out->advice.count; i++)
		if (out->advice.items[i].checked || !has_tested(out))
			out->advice.items[n++] = out->advice.items[i];
		else
			vec_free(&out->advice.items[i].sites);
	out->advice.count = n;
}

int explain_advise(struct explain_search *s, uint64_t runs, struct explanation *out, struct err *e)
{
	struct explain_advices restrictions = VEC_INIT;
	int rc = 0;

	if (out->asked_weak)
		rc = take_fences(s, runs, out, e);
	if (rc == 0 && out->advice.count == 0)
		explain_advice_restrict(s, out, &restrictions);
	if (rc == 0 && s->failing->thread == EXPLAIN_NONE && out->advice.count == 0)
		rc = take_locks(s, runs, out, e);
	if (rc == 0 && s->failing->thread == EXPLAIN_NONE && out->advice.count == 0)
		rc = take_wakeup(s, runs, &restrictions, out, e);
	if (rc == 0 && !has_tested(out))
		rc = take_first_good(s, runs, &restrictions, out, e);
	drop_untested(out);
	explain_advice_fini(&restrictions);
	return rc;
}
