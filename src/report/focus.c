#include "report/focus.h"

#include <stdlib.h>
#include <string.h>

#include "report/detail.h"

enum score {
	SCORE_NONE = 0,
	SCORE_SHARED = 20,
	SCORE_LIFE = 30,
	SCORE_SWITCH = 40,
	SCORE_SYNC = 50,
	SCORE_CONFLICT = 60,
	SCORE_HOT = 80,
	SCORE_OBJECT = 85,
	SCORE_LAST = 90,
	SCORE_FAILING = 95,
	SCORE_FAILURE = 100,
};

#define LAST_OF_FAILING 3
#define HOT_MAX 6
/* Aligned eights of a block operation that are looked at. */
#define RANGE_MAX 64

/* One event at one place: an aligned eight of memory, or a synchronisation object. */
struct touch {
	uint64_t place;
	size_t event;
};

struct touches {
	VEC_FIELDS(struct touch);
};

struct scorer {
	const struct trace_bundle *b;
	uint8_t *score;
	struct touches memory, sync;
	uint64_t hot[HOT_MAX];
	size_t hot_count;
};

static const char event_class[EVENT_KIND_MAX] = {
#define X(name, number, text, class) [number] = #class[0],
#include "wire/events.def"
#undef X
};

static char class_of(const struct wire_event *v)
{
	return v->kind < EVENT_KIND_MAX ? event_class[v->kind] : 0;
}

static bool is_access(const struct wire_event *v)
{
	return class_of(v) == 'A' && v->kind != EVENT_FENCE;
}

/* A store in a buffer counts: that others do not see it yet is often the point. */
static bool is_write(const struct wire_event *v)
{
	return v->kind == EVENT_ISSUE || v->kind == EVENT_WRITE || v->kind == EVENT_RMW ||
	       v->kind == EVENT_WRITE_RANGE;
}

static void raise_score(struct scorer *s, size_t event, enum score score)
{
	if (s->score[event] < score)
		s->score[event] = (uint8_t)score;
}

static void touch_memory(struct scorer *s, size_t event)
{
	const struct wire_event *v = &s->b->events.items[event];
	bool range = v->kind == EVENT_READ_RANGE || v->kind == EVENT_WRITE_RANGE;
	uint64_t bytes = range ? v->value : v->size, first = v->addr >> 3;
	uint64_t last = (v->addr + (bytes ? bytes - 1 : 0)) >> 3;

	if (last < first || last - first >= RANGE_MAX)
		last = first + RANGE_MAX - 1;
	for (uint64_t place = first; place <= last; place++) {
		struct touch t = {place, event};

		vec_push(&s->memory, t);
	}
}

static int by_place(const void *a, const void *b)
{
	const struct touch *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->event < y->event ? -1 : x->event > y->event;
}

static void collect(struct scorer *s)
{
	for (size_t i = 0; i < s->b->events.count; i++) {
		const struct wire_event *v = &s->b->events.items[i];
		struct touch t = {v->addr, i};

		if (is_access(v))
			touch_memory(s, i);
		else if (class_of(v) == 'S')
			vec_push(&s->sync, t);
	}
	if (s->memory.count > 1)
		qsort(s->memory.items, s->memory.count, sizeof(struct touch), by_place);
	if (s->sync.count > 1)
		qsort(s->sync.items, s->sync.count, sizeof(struct touch), by_place);
}

/* End of the group of touches of one place that begins at `from'. */
static size_t group_end(const struct touches *t, size_t from)
{
	size_t to = from;

	while (to < t->count && t->items[to].place == t->items[from].place)
		to++;
	return to;
}

static const struct wire_event *event_of(const struct scorer *s, const struct touches *t, size_t i)
{
	return &s->b->events.items[t->items[i].event];
}

/* Do several threads use the place, and does one of them write? */
static bool is_shared(const struct scorer *s, size_t from, size_t to)
{
	uint16_t tid = event_of(s, &s->memory, from)->tid;
	bool several = false, written = false;

	for (size_t i = from; i < to; i++) {
		const struct wire_event *v = event_of(s, &s->memory, i);

		several |= v->tid != tid;
		written |= is_write(v);
	}
	return several && written;
}

static bool is_hot(const struct scorer *s, uint64_t place)
{
	for (size_t i = 0; i < s->hot_count; i++)
		if (s->hot[i] == place)
			return true;
	return false;
}

static void score_shared(struct scorer *s)
{
	for (size_t from = 0; from < s->memory.count;) {
		size_t to = group_end(&s->memory, from);

		if (is_shared(s, from, to))
			for (size_t i = from; i < to; i++)
				raise_score(s, s->memory.items[i].event, SCORE_SHARED);
		from = to;
	}
}

/* The places the failing thread read last, and the place of the failure itself. */
static void find_hot(struct scorer *s)
{
	const struct wire_failure *f = &s->b->outcome.failure;

	if (f->addr != 0)
		s->hot[s->hot_count++] = f->addr >> 3;
	for (size_t i = s->b->events.count; i-- > 0 && s->hot_count < HOT_MAX;) {
		const struct wire_event *v = &s->b->events.items[i];

		if (v->tid == f->tid && is_access(v) && !is_write(v) &&
		    s->score[i] >= SCORE_SHARED && !is_hot(s, v->addr >> 3))
			s->hot[s->hot_count++] = v->addr >> 3;
	}
}

static void score_conflicts(struct scorer *s)
{
	for (size_t i = 1; i < s->memory.count; i++) {
		const struct touch *a = &s->memory.items[i - 1], *b = &s->memory.items[i];
		const struct wire_event *x = event_of(s, &s->memory, i - 1);
		const struct wire_event *y = event_of(s, &s->memory, i);
		enum score score = is_hot(s, b->place) ? SCORE_HOT : SCORE_CONFLICT;

		if (a->place != b->place || x->tid == y->tid || (!is_write(x) && !is_write(y)))
			continue;
		raise_score(s, a->event, score);
		raise_score(s, b->event, score);
	}
}

static void score_sync(struct scorer *s)
{
	for (size_t i = 1; i < s->sync.count; i++) {
		const struct touch *a = &s->sync.items[i - 1], *b = &s->sync.items[i];

		if (a->place != b->place ||
		    event_of(s, &s->sync, i - 1)->tid == event_of(s, &s->sync, i)->tid)
			continue;
		raise_score(s, a->event, SCORE_SYNC);
		raise_score(s, b->event, SCORE_SYNC);
	}
}

static bool is_operation(const struct wire_event *v)
{
	char class = class_of(v);

	return (class == 'A' || class == 'S' || class == 'L') && v->kind != EVENT_THREAD_BEGIN &&
	       v->kind != EVENT_THREAD_END;
}

/* Operations before a change of thread, and the life cycle. */
static void score_switches(struct scorer *s)
{
	size_t n = s->b->events.count;

	for (size_t i = 0; i < n; i++) {
		const struct wire_event *v = &s->b->events.items[i];

		if (v->kind == EVENT_THREAD_CREATE || v->kind == EVENT_THREAD_JOIN)
			raise_score(s, i, SCORE_LIFE);
		if (i + 1 < n && v[1].tid != v->tid && is_operation(v) && !is_access(v))
			raise_score(s, i, SCORE_SWITCH);
	}
}

static bool has_ended(const struct trace_bundle *b, uint16_t tid)
{
	return tid >= b->threads.count || b->threads.items[tid].state == THREAD_FINISHED ||
	       b->threads.items[tid].state == THREAD_GONE;
}

static bool is_at_failure(const struct trace_bundle *b, const struct wire_event *v)
{
	return v->tid == b->outcome.failure.tid && v->site == b->outcome.failure.site &&
	       v->site != SITE_NONE;
}

/* Walks back from the end: the failure, and the last operations of each thread. */
static void score_last(struct scorer *s)
{
	const struct trace_bundle *b = s->b;
	unsigned *seen = xcalloc((size_t)UINT16_MAX + 1, sizeof(*seen));

	for (size_t i = b->events.count; i-- > 0;) {
		const struct wire_event *v = &b->events.items[i];

		if (v->kind == EVENT_FAILURE)
			raise_score(s, i, SCORE_FAILURE);
		/* Private memory only counts at the very place of the failure. */
		if (!is_operation(v) ||
		    (is_access(v) && s->score[i] == SCORE_NONE && !is_at_failure(b, v)))
			continue;
		if (v->tid == b->outcome.failure.tid && seen[v->tid] < LAST_OF_FAILING)
			raise_score(s, i, SCORE_FAILING);
		else if (seen[v->tid] == 0 && !has_ended(b, v->tid))
			raise_score(s, i, SCORE_LAST);
		seen[v->tid]++;
	}
	free(seen);
}

static bool holds(const struct wire_thread *t, uint64_t addr)
{
	for (unsigned i = 0; i < t->held_count && i < WIRE_MAX_HELD; i++)
		if (t->held[i].addr == addr)
			return true;
	return false;
}

static bool made_object(const struct wire_failure *f, const struct wire_event *v)
{
	return (v->kind == EVENT_ALLOC || v->kind == EVENT_FREE) && f->object_base != 0 &&
	       v->addr == f->object_base && (f->object == OBJECT_HEAP || f->object == OBJECT_FREED);
}

static bool took_lock(const struct trace_bundle *b, const struct wire_event *v)
{
	uint32_t kind = b->outcome.failure.kind;

	return (kind == FAILURE_DEADLOCK || kind == FAILURE_LIVELOCK) && class_of(v) == 'S' &&
	       v->kind != EVENT_OBJ_INIT && v->tid < b->threads.count &&
	       report_detail_stuck(&b->threads.items[v->tid]) &&
	       holds(&b->threads.items[v->tid], v->addr);
}

static void score_object(struct scorer *s)
{
	for (size_t i = 0; i < s->b->events.count; i++) {
		const struct wire_event *v = &s->b->events.items[i];

		if (made_object(&s->b->outcome.failure, v) || took_lock(s->b, v))
			raise_score(s, i, SCORE_OBJECT);
	}
}

/* The lowest score that still fits into max, and how many events of exactly it fit. */
static unsigned threshold(const struct scorer *s, size_t max, size_t *of_it)
{
	size_t count[SCORE_FAILURE + 1] = {0}, sum = 0;
	unsigned t;

	for (size_t i = 0; i < s->b->events.count; i++)
		count[s->score[i]]++;
	for (t = SCORE_FAILURE; t > 0 && sum + count[t] <= max; t--)
		sum += count[t];
	*of_it = t > 0 ? max - sum : 0;
	return t;
}

static void choose(const struct scorer *s, struct report_focus *f, size_t max)
{
	size_t of_it, skip = 0;
	unsigned t = threshold(s, max, &of_it);

	for (size_t i = 0; i < s->b->events.count; i++)
		skip += t > 0 && s->score[i] == t;
	skip = skip > of_it ? skip - of_it : 0;
	for (size_t i = 0; i < s->b->events.count; i++) {
		if (s->score[i] == SCORE_NONE || s->score[i] < t)
			continue;
		if (s->score[i] == t && skip > 0)
			skip--;
		else
			vec_push(&f->events, i);
	}
}

void report_focus_choose(struct report_focus *f, const struct trace_bundle *b, size_t max)
{
	struct scorer s = {.b = b};

	s.score = xcalloc(b->events.count + 1, 1);
	collect(&s);
	score_shared(&s);
	find_hot(&s);
	score_conflicts(&s);
	score_sync(&s);
	score_switches(&s);
	score_last(&s);
	score_object(&s);
	choose(&s, f, max);
	vec_free(&s.memory);
	vec_free(&s.sync);
	free(s.score);
}

void report_focus_fini(struct report_focus *f)
{
	vec_free(&f->events);
}
