/* How often threads come by, and rounds of loops that only wait: decision 015. */
#include "explore/live/ingest_thread.h"

uint32_t ingest_visit(const struct ingest *x, struct ingest_thread *t, uint32_t site)
{
	struct ingest_visit fresh = {site, 1};

	if (!x->count_visits)
		return 0;
	for (size_t i = 0; i < t->visits.count; i++)
		if (t->visits.items[i].site == site)
			return t->visits.items[i].count++;
	vec_push(&t->visits, fresh);
	return 0;
}

static void uncount_visit(struct ingest_thread *t, uint32_t site)
{
	for (size_t i = 0; i < t->visits.count; i++)
		if (t->visits.items[i].site == site)
			t->visits.items[i].count--;
}

void ingest_take_back(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev)
{
	uint64_t begin = ev->value - 1;

	/* Other waits, and rounds that stored something, do not say where they began. */
	if (!ev->value || ev->value & EVENT_PARK_STORED || begin > ev->tix || begin < t->waited ||
	    !learn_wait(x->l, &t->at, (uint32_t)begin - t->waited))
		return;
	t->waited += ev->tix + 1 - (uint32_t)begin;
	uncount_visit(t, ev->site);
	uncount_visit(t, learn_at(x->l, t->at)->site);
}
