#include "report/focus.h"

#include <stdlib.h>
#include <string.h>

#include "report/detail.h"
#include "report/sharing.h"

enum score {
	SCORE_NONE = 0,
	SCORE_SHARED = 20,
	SCORE_LIFE = 30,
	SCORE_SWITCH = 40,
	SCORE_SYNC = 50,
	SCORE_CONFLICT = 60,
	SCORE_HOT = 75,
	SCORE_PREEMPTED = 80,
	SCORE_OBJECT = 85,
	SCORE_LAST = 90,
	SCORE_FAILING = 95,
	SCORE_FAILURE = 100,
};

#define LAST_OF_FAILING 3
#define HOT_MAX 6
/* With more preemptions than these, each of them says little. */
#define PREEMPTED_MAX 6

/* One event at one synchronisation object. */
struct touch {
	uint64_t object;
	size_t event;
};

struct scorer {
	const struct trace_bundle *b;
	uint8_t *score, *marks;
	VEC(struct touch) sync;
	uint64_t hot[HOT_MAX]; /* addresses */
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
	return report_sharing_is_access(v);
}

static void raise_score(struct scorer *s, size_t event, enum score score)
{
	if (s->score[event] < score)
		s->score[event] = (uint8_t)score;
}

static int by_object(const void *a, const void *b)
{
	const struct touch *x = a, *y = b;

	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	return x->event < y->event ? -1 : x->event > y->event;
}

static void collect_sync(struct scorer *s)
{
	for (size_t i = 0; i < s->b->events.count; i++) {
		const struct wire_event *v = &s->b->events.items[i];
		struct touch t = {v->addr, i};

		if (class_of(v) == 'S')
			vec_push(&s->sync, t);
	}
	if (s->sync.count > 1)
		qsort(s->sync.items, s->sync.count, sizeof(struct touch), by_object);
}

static bool is_hot(const struct scorer *s, uint64_t addr)
{
	for (size_t i = 0; i < s->hot_count; i++)
		if (s->hot[i] == addr)
			return true;
	return false;
}

/* What the failing thread read last of the shared memory, and the place of the failure itself. */
static void find_hot(struct scorer *s)
{
	const struct wire_failure *f = &s->b->outcome.failure;

	if (f->addr != 0)
		s->hot[s->hot_count++] = f->addr;
	for (size_t i = s->b->events.count; i-- > 0 && s->hot_count < HOT_MAX;) {
		const struct wire_event *v = &s->b->events.items[i];

		if (v->tid == f->tid && (s->marks[i] & SHARING_SHARED) &&
		    !report_sharing_is_write(v) && !is_hot(s, v->addr))
			s->hot[s->hot_count++] = v->addr;
	}
}

static void score_sharing(struct scorer *s)
{
	report_sharing(s->b, s->marks);
	find_hot(s);
	for (size_t i = 0; i < s->b->events.count; i++) {
		if (s->marks[i] & SHARING_SHARED)
			raise_score(s, i, SCORE_SHARED);
		if (s->marks[i] & SHARING_CONFLICT)
			raise_score(s, i,
				    is_hot(s, s->b->events.items[i].addr) ? SCORE_HOT
									  : SCORE_CONFLICT);
	}
}

static const struct wire_event *event_of(const struct scorer *s, size_t touch)
{
	return &s->b->events.items[s->sync.items[touch].event];
}

static void score_sync(struct scorer *s)
{
	for (size_t i = 1; i < s->sync.count; i++) {
		const struct touch *a = &s->sync.items[i - 1], *b = &s->sync.items[i];

		if (a->object != b->object || event_of(s, i - 1)->tid == event_of(s, i)->tid)
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

/* Could the thread have gone on after event i, although another one went on? */
static bool is_preempted(const struct wire_event *v, const struct wire_event *next_of_thread)
{
	if (v->kind == EVENT_COND_WAIT || v->kind == EVENT_BARRIER_ARRIVE ||
	    v->kind == EVENT_YIELD || v->kind == EVENT_SLEEP || v->kind == EVENT_SPIN_PARK)
		return false;
	return is_access(next_of_thread) || next_of_thread->kind == EVENT_UNLOCK ||
	       next_of_thread->kind == EVENT_FREE;
}

/* The nearest event of the thread in one direction that is about shared memory or a lock. */
static void raise_nearest(struct scorer *s, size_t from, int step, uint16_t tid)
{
	for (size_t i = from; i < s->b->events.count; i += (size_t)step) {
		if (s->b->events.items[i].tid != tid)
			return;
		if (s->score[i] != SCORE_NONE) {
			raise_score(s, i, SCORE_PREEMPTED);
			return;
		}
	}
}

struct preemption {
	size_t before, after; /* events of the thread around it */
};

/* Fills at most PREEMPTED_MAX + 1 of them; returns how many. */
static size_t find_preemptions(const struct trace_bundle *b, struct preemption *found)
{
	size_t *next = xcalloc((size_t)UINT16_MAX + 1, sizeof(*next)), n = 0;

	for (size_t i = b->events.count; i-- > 0 && n <= PREEMPTED_MAX;) {
		const struct wire_event *v = &b->events.items[i];
		size_t after = next[v->tid];

		if (after > i + 1 && v[1].tid != v->tid && is_preempted(v, &b->events.items[after]))
			found[n++] = (struct preemption){i, after};
		next[v->tid] = i;
	}
	free(next);
	return n;
}

static void score_preemptions(struct scorer *s)
{
	struct preemption found[PREEMPTED_MAX + 1];
	size_t n = find_preemptions(s->b, found);

	for (size_t i = 0; i < n && n <= PREEMPTED_MAX; i++) {
		uint16_t tid = s->b->events.items[found[i].before].tid;

		raise_nearest(s, found[i].before, -1, tid);
		raise_nearest(s, found[i].after, 1, tid);
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
	s.marks = xcalloc(b->events.count + 1, 1);
	collect_sync(&s);
	score_sharing(&s);
	score_sync(&s);
	score_switches(&s);
	score_preemptions(&s);
	score_last(&s);
	score_object(&s);
	choose(&s, f, max);
	vec_free(&s.sync);
	free(s.marks);
	free(s.score);
}

void report_focus_fini(struct report_focus *f)
{
	vec_free(&f->events);
}
