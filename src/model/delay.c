#include "model/delay.h"

#include <assert.h>

/* How many stores back a broken RELEASE is looked for: more than a buffer holds. */
#define LOOK_BACK 256

/* One issued store of a thread. */
struct stored {
	size_t issue;
	size_t record; /* in the walk's delays */
	bool here;     /* in the buffer */
	bool noticed;  /* another thread has read a store that overtook it */
};

struct lane {
	VEC(struct stored) stores;
	size_t first;	   /* everything before it has reached memory */
	size_t last_issue; /* the thread's last operation, when that was an ISSUE */
};

struct walk {
	const struct wire_event *events;
	struct lane *lanes;
	size_t lane_count;
	VEC(struct model_delay) delays;
	struct model_fences full, release;
};

static uint64_t bytes_of(const struct wire_event *v)
{
	if (v->kind == EVENT_READ_RANGE || v->kind == EVENT_WRITE_RANGE)
		return v->value;
	return v->size ? v->size : 1;
}

static bool overlap(const struct wire_event *a, const struct wire_event *b)
{
	return a->addr < b->addr + bytes_of(b) && b->addr < a->addr + bytes_of(a);
}

bool model_fences_have(const struct wire_fence *fences, size_t n, const struct wire_fence *f)
{
	for (size_t i = 0; i < n; i++)
		if (fences[i].site == f->site && fences[i].kind == f->kind)
			return true;
	return false;
}

static void add_fence(struct model_fences *to, uint32_t site, enum wire_fence_kind kind)
{
	struct wire_fence f = {site, kind};

	if (site != SITE_NONE && !model_fences_have(to->items, to->count, &f))
		vec_push(to, f);
}

static void drop_arrived(struct lane *l)
{
	assert(l->first <= l->stores.count);
	while (l->first < l->stores.count && !l->stores.items[l->first].here)
		l->first++;
}

static bool is_on_its_way(const struct lane *l)
{
	return l->first < l->stores.count;
}

/* The thread performs an operation for which it need not wait: was the store before it on its way?
 */
static void see_operation(struct walk *w, struct lane *l)
{
	if (l->last_issue != MODEL_DELAY_NONE && is_on_its_way(l))
		add_fence(&w->full, w->events[l->last_issue].site, FENCE_FULL);
	l->last_issue = MODEL_DELAY_NONE;
}

static void see_issue(struct walk *w, struct lane *l, size_t at)
{
	struct stored s = {at, w->delays.count, true, false};
	struct model_delay d = {
		at, MODEL_DELAY_NONE, MODEL_DELAY_NONE, MODEL_DELAY_NONE, MODEL_DELAY_NONE, 0, 0};

	assert(w->events[at].kind == EVENT_ISSUE);
	see_operation(w, l);
	l->last_issue = at;
	vec_push(&w->delays, d);
	vec_push(&l->stores, s);
}

static void note_first(size_t *first, size_t at)
{
	if (*first == MODEL_DELAY_NONE)
		*first = at;
}

static bool is_forwarded(const struct walk *w, const struct lane *l, const struct wire_event *v)
{
	for (size_t i = l->first; i < l->stores.count; i++)
		if (l->stores.items[i].here && overlap(&w->events[l->stores.items[i].issue], v))
			return true;
	return false;
}

static void see_load(struct walk *w, struct lane *l, size_t at)
{
	see_operation(w, l);
	if (is_forwarded(w, l, &w->events[at]))
		return;
	for (size_t i = l->first; i < l->stores.count; i++) {
		struct model_delay *d = &w->delays.items[l->stores.items[i].record];

		if (!l->stores.items[i].here)
			continue;
		d->loads++;
		note_first(&d->past_load, at);
	}
}

/* Stores between an older one on its way and this one: a release at any of them is broken. */
static void break_releases(struct walk *w, const struct lane *l, size_t older, size_t arrived)
{
	assert(older < arrived && arrived < l->stores.count);
	size_t from = arrived - older > LOOK_BACK ? arrived - LOOK_BACK : older;

	for (size_t i = from + 1; i <= arrived; i++)
		add_fence(&w->release, w->events[l->stores.items[i].issue].site, FENCE_RELEASE);
}

/* The `which'-th store of the thread reaches memory. */
static void see_commit(struct walk *w, struct lane *l, size_t which, size_t at)
{
	struct stored *s = &l->stores.items[which];
	size_t oldest = MODEL_DELAY_NONE;

	assert(which >= l->first && which < l->stores.count && s->here);
	assert(w->delays.items[s->record].commit == MODEL_DELAY_NONE);
	s->here = false;
	w->delays.items[s->record].commit = at;
	for (size_t i = l->first; i < which; i++) {
		struct model_delay *d = &w->delays.items[l->stores.items[i].record];

		if (!l->stores.items[i].here)
			continue;
		d->stores++;
		note_first(&d->past_store, at);
		note_first(&oldest, i);
	}
	if (oldest != MODEL_DELAY_NONE)
		break_releases(w, l, oldest, which);
	drop_arrived(l);
}

/* Number of the store that this WRITE brings to memory. */
static size_t find_store(const struct walk *w, const struct lane *l, const struct wire_event *v)
{
	for (size_t i = l->first; i < l->stores.count; i++)
		if (l->stores.items[i].here && w->events[l->stores.items[i].issue].tix == v->tix)
			return i;
	return MODEL_DELAY_NONE;
}

/* A load of a store that overtook older ones of its thread: for those it is the one that matters.
 */
static void notice_overtaking(struct walk *w, struct lane *l, const struct wire_event *v)
{
	size_t end =
		l->stores.count - l->first > LOOK_BACK ? l->first + LOOK_BACK : l->stores.count;
	size_t read = end;

	while (read > l->first && (l->stores.items[read - 1].here ||
				   !overlap(&w->events[l->stores.items[read - 1].issue], v)))
		read--;
	for (size_t i = l->first; i + 1 < read; i++) {
		struct stored *s = &l->stores.items[i];

		if (!s->here || s->noticed)
			continue;
		s->noticed = true;
		w->delays.items[s->record].past_store =
			w->delays.items[l->stores.items[read - 1].record].commit;
	}
}

/* Other threads whose stores to these bytes are on their way. */
static void see_access(struct walk *w, size_t at)
{
	const struct wire_event *v = &w->events[at];

	for (size_t t = 0; t < w->lane_count; t++) {
		struct lane *l = &w->lanes[t];

		if (t == v->tid || !is_on_its_way(l))
			continue;
		if (v->kind == EVENT_READ)
			notice_overtaking(w, l, v);
		for (size_t i = l->first; i < l->stores.count; i++)
			if (l->stores.items[i].here &&
			    overlap(&w->events[l->stores.items[i].issue], v))
				note_first(&w->delays.items[l->stores.items[i].record].seen, at);
	}
}

static void see(struct walk *w, size_t at)
{
	const struct wire_event *v = &w->events[at];
	struct lane *l = &w->lanes[v->tid];
	size_t which;

	assert(v->tid < w->lane_count);
	switch (v->kind) {
	case EVENT_ISSUE:
		see_issue(w, l, at);
		break;
	case EVENT_READ:
		see_access(w, at);
		see_load(w, l, at);
		break;
	case EVENT_WRITE:
		see_access(w, at);
		which = find_store(w, l, v);
		if (which != MODEL_DELAY_NONE)
			see_commit(w, l, which, at);
		else
			l->last_issue = MODEL_DELAY_NONE;
		break;
	case EVENT_RMW:
	case EVENT_CAS_FAIL:
	case EVENT_READ_RANGE:
	case EVENT_WRITE_RANGE:
		see_access(w, at);
		l->last_issue = MODEL_DELAY_NONE;
		break;
	case EVENT_YIELD:
	case EVENT_SPIN_PARK:
		see_operation(w, l);
		break;
	default:
		/* Waits for the buffer, or is no operation; either way there is nothing to see. */
		break;
	}
}

static void begin(struct walk *w, const struct wire_event *events, size_t n)
{
	w->events = events;
	for (size_t i = 0; i < n; i++)
		if (events[i].tid >= w->lane_count)
			w->lane_count = (size_t)events[i].tid + 1;
	w->lanes = xcalloc(w->lane_count + 1, sizeof(*w->lanes));
	for (size_t t = 0; t < w->lane_count; t++)
		w->lanes[t].last_issue = MODEL_DELAY_NONE;
	for (size_t i = 0; i < n; i++)
		see(w, i);
}

static void end(struct walk *w)
{
	for (size_t t = 0; t < w->lane_count; t++)
		vec_free(&w->lanes[t].stores);
	free(w->lanes);
	vec_free(&w->delays);
	vec_free(&w->full);
	vec_free(&w->release);
}

void model_delays_find(struct model_delays *out, const struct wire_event *events, size_t n)
{
	struct walk w = {.events = NULL};

	begin(&w, events, n);
	for (size_t i = 0; i < w.delays.count; i++)
		if (w.delays.items[i].loads + w.delays.items[i].stores > 0)
			vec_push(out, w.delays.items[i]);
	end(&w);
}

size_t model_delays_weight(const struct model_delays *d)
{
	size_t weight = 0;

	for (size_t i = 0; i < d->count; i++)
		weight += d->items[i].loads + d->items[i].stores;
	return weight;
}

void model_fences_broken(struct model_fences *out, const struct wire_event *events, size_t n)
{
	struct walk w = {.events = NULL};

	begin(&w, events, n);
	for (size_t i = w.release.count; i-- > 0;)
		vec_push(out, w.release.items[i]);
	for (size_t i = w.full.count; i-- > 0;)
		vec_push(out, w.full.items[i]);
	end(&w);
}
