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

/* The steps from one place of a tree to another, further down. */
static void uncount_visits(const struct ingest *x, struct ingest_thread *t,
			   struct learn_cursor from, struct learn_cursor to)
{
	const struct learn_node *n = &x->l->nodes.items[to.node];

	while (to.node != from.node || to.pos != from.pos) {
		if (to.pos == 0) {
			to.node = n->parent;
			n = &x->l->nodes.items[to.node];
			to.pos = (uint32_t)n->steps.count;
		}
		uncount_visit(t, n->steps.items[--to.pos].site);
	}
}

/* The number that the event has among those that were not taken back; none of a round that was. */
static bool number_of(const struct ingest_thread *t, uint64_t tix, uint32_t *number)
{
	uint32_t before = 0;

	for (size_t i = 0; i < t->taken.count && t->taken.items[i].end <= tix; i++)
		before = t->taken.items[i].events;
	*number = (uint32_t)tix - before;
	return tix >= before;
}

static void take_back(struct ingest_thread *t, uint64_t begin, const struct wire_event *ev)
{
	struct ingest_taken taken = {ev->tix + 1, 0};
	uint32_t number;

	/* A round around this one has not read what is taken back. */
	for (uint32_t i = 0; i < ev->aux && i < t->reads.count; i++)
		t->reads.items[t->reads.count - 1 - i] = 0;

	number_of(t, begin, &number);
	/* Rounds of loops inside were taken back before. */
	while (t->taken.count && vec_last(&t->taken).end > begin)
		t->taken.count--;
	t->waited = ev->tix + 1 - number;
	taken.events = t->waited;
	vec_push(&t->taken, taken);
	t->leads = false;
}

void ingest_take_back(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev)
{
	uint64_t begin = (ev->value & ~EVENT_PARK_STORED) - 1;
	struct learn_cursor end = t->at;
	uint32_t number;

	/* Other waits do not say where they began. */
	if (!ev->value || begin > ev->tix || !number_of(t, begin, &number))
		return;
	if (!learn_wait(x->l, &t->at, number) &&
	    (!x->l->folds || !learn_fold(x->l, &t->at, number)))
		return;
	uncount_visits(x, t, t->at, end);
	take_back(t, begin, ev);
}
