#include "explore/published/states.h"

#include <assert.h>

void states_init(struct states *s)
{
	*s = (struct states){.bytes = 0};
	past_init(&s->past);
}

void states_fini(struct states *s)
{
	for (size_t i = 0; i < s->items.count; i++) {
		free(s->items.items[i].parts);
		free(s->items.items[i].order);
		free(s->items.items[i].pending);
	}
	vec_free(&s->items);
	lookup_fini(&s->by_nodes);
	past_fini(&s->past);
}

static uint64_t hash(const struct state *st)
{
	uint64_t h = 0;

	for (uint32_t t = 0; t < st->threads; t++) {
		h = (h ^ st->parts[t].node ^ (uint64_t)st->parts[t].next << 32) *
		    UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 32;
	}
	return h;
}

static bool equal(const struct state *a, const struct state *b)
{
	if (a->threads != b->threads)
		return false;
	for (uint32_t t = 0; t < a->threads; t++) {
		if (a->parts[t].node != b->parts[t].node || a->parts[t].next != b->parts[t].next)
			return false;
	}
	return true;
}

static bool is_same(const void *items, uint32_t number, const void *key)
{
	const struct states *s = items;

	return equal(&s->items.items[number], key);
}

/* Threads' events in program order: po[i] are places in the history. */
static int follow_threads(struct states *s, const struct solve_history *h, const uint32_t *po,
			  struct state *st, struct err *e)
{
	VEC(const struct solve_event *) events = VEC_INIT;
	int rc = 0;

	for (size_t i = 0; i < h->count && !rc;) {
		uint32_t t = h->items[po[i]].thread;
		struct state_part *part = &st->parts[t];

		vec_clear(&events);
		for (; i < h->count && h->items[po[i]].thread == t; i++) {
			vec_push(&events, &h->items[po[i]]);
			part->tail = solve_event_reads(&h->items[po[i]]) ? 0 : part->tail + 1;
			part->next = h->items[po[i]].index + 1;
		}
		rc = past_follow(&s->past, t, events.items, events.count, &part->node, e);
	}
	vec_free(&events);
	return rc;
}

static void post(struct states *s, const struct state *st, uint32_t number)
{
	assert(number + 1 == s->items.count);
	for (uint32_t t = 0; t < st->threads; t++) {
		for (uint32_t n = st->parts[t].node; n; n = s->past.nodes.items[n].parent)
			vec_push(&s->past.nodes.items[n].states, number);
	}
}

static void keep_pending(struct state *st, const struct solve_history *pending)
{
	st->pending_count = (uint32_t)pending->count;
	st->pending = xcalloc(pending->count + 1, sizeof(*st->pending));
	if (pending->count)
		memcpy(st->pending, pending->items, pending->count * sizeof(*st->pending));
}

int states_add(struct states *s, const struct explore_run *run, uint32_t *number, bool *fresh,
	       struct err *e)
{
	const struct solve_history *h = &run->history;
	uint32_t *po = xcalloc(h->count + 1, sizeof(*po));
	struct state st = {.events = (uint32_t)h->count};
	int rc;

	for (uint32_t i = 0; i < h->count; i++) {
		po[i] = i;
		if (h->items[i].thread >= st.threads)
			st.threads = h->items[i].thread + 1;
	}
	solve_history_sort(po, h->count, h->items);
	st.parts = xcalloc((size_t)st.threads + 1, sizeof(*st.parts));
	rc = follow_threads(s, h, po, &st, e);
	if (rc)
		goto out;
	*number = lookup_find(&s->by_nodes, hash(&st), is_same, s, &st);
	*fresh = *number == LOOKUP_NONE;
	if (!*fresh)
		goto out;
	st.order = xcalloc(h->count + 1, sizeof(*st.order));
	for (uint32_t i = 0; i < h->count; i++)
		st.order[po[i]] = i;
	keep_pending(&st, &run->pending);
	*number = (uint32_t)s->items.count;
	lookup_add(&s->by_nodes, hash(&st), *number);
	vec_push(&s->items, st);
	s->bytes += sizeof(st) + st.threads * sizeof(*st.parts) + h->count * sizeof(*st.order);
	post(s, &st, *number);
	st.parts = NULL;
out:
	free(st.parts);
	free(po);
	return rc;
}

bool states_agree(const struct states *s, uint32_t number, const struct wanted *w)
{
	const struct state *st = &s->items.items[number];
	const struct frozen *f = &w->frozen;

	assert(number < s->items.count);
	for (uint32_t t = 0; t < f->count; t++) {
		if (f->items[t] &&
		    (t >= st->threads || !past_covers(&s->past, f->items[t], st->parts[t].node)))
			return false;
	}
	for (uint32_t t = 0; t < w->steps.count; t++) {
		if (w->steps.items[t] &&
		    (t >= st->threads || st->parts[t].next < w->steps.items[t]))
			return false;
	}
	return true;
}

uint32_t states_find(const struct states *s, const struct wanted *w)
{
	const struct past_list *fewest = NULL;
	const struct frozen *f = &w->frozen;

	for (uint32_t t = 0; t < f->count; t++) {
		assert(f->items[t] < s->past.nodes.count);
		const struct past_list *l = &s->past.nodes.items[f->items[t]].states;

		if (f->items[t] && (!fewest || l->count < fewest->count))
			fewest = l;
	}
	for (size_t i = fewest ? fewest->count : s->items.count; i-- > 0;) {
		uint32_t number = fewest ? fewest->items[i] : (uint32_t)i;

		if (states_agree(s, number, w))
			return number;
	}
	return STATE_NONE;
}

void states_history(struct states *s, uint32_t number, struct solve_history *h,
		    struct past_list *nodes)
{
	const struct state *st = &s->items.items[number];
	struct solve_history po = VEC_INIT;
	uint32_t at = 0;

	assert(number < s->items.count);
	for (uint32_t t = 0; t < st->threads; t++)
		past_replay(&s->past, t, st->parts[t].node, st->parts[t].tail, &po);
	assert(po.count == st->events);
	vec_clear(h);
	vec_clear(nodes);
	for (uint32_t i = 0; i < st->events; i++) {
		assert(st->order[i] < st->events);
		vec_push(h, po.items[st->order[i]]);
		vec_push(nodes, 0);
	}
	/* Nodes along program order. */
	uint32_t *where = xcalloc((size_t)st->events + 1, sizeof(*where));

	for (uint32_t i = 0; i < st->events; i++)
		where[st->order[i]] = i;
	for (uint32_t i = 0; i < st->events; i++) {
		const struct solve_event *ev = &po.items[i];

		if (!i || po.items[i - 1].thread != ev->thread)
			at = 0;
		if (solve_event_reads(ev))
			at = past_child(&s->past, at, ev->thread, ev->value);
		nodes->items[where[i]] = at;
	}
	for (uint32_t i = 0; i < st->pending_count; i++) {
		const struct solve_event *p = &st->pending[i];

		at = p->thread < st->threads ? st->parts[p->thread].node : 0;
		if (solve_event_reads(p))
			at = past_child(&s->past, at, p->thread, p->value);
		vec_push(h, *p);
		vec_push(nodes, at);
	}
	free(where);
	vec_free(&po);
}
