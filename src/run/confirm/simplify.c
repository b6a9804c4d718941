#include "run/confirm/simplify.h"

#include <assert.h>
#include <stdlib.h>

#include "base/limit.h"

struct segment {
	size_t first, count; /* choices */
	uint16_t tid;
};

struct search {
	const struct run_again *again;
	const struct run_simplify_opts *opts;
	uint64_t key, begin_ns;
	struct model_schedule *best;
	struct run_simplify_stats *stats;
	VEC(struct segment) segments; /* of best */
	struct model_schedule candidate;
	uint64_t *seen; /* by thread: number of the window it was last met in */
	uint64_t window;
	struct run_result result;
	bool stopped; /* the guest's limit is reached */
	struct err *e;
	int rc;
};

/* An internal choice belongs to the operation before it, whatever thread it names. */
static bool continues(const struct wire_choice *choice, uint16_t tid)
{
	return choice->kind == CHOICE_PICK || choice->tid == tid;
}

size_t run_schedule_segments(const struct wire_choice *choices, size_t n)
{
	size_t segments = 0;
	uint16_t tid = THREAD_NONE;

	for (size_t i = 0; i < n; i++) {
		if (i > 0 && continues(&choices[i], tid))
			continue;
		tid = choices[i].tid;
		segments++;
	}
	return segments;
}

static void split(struct search *s)
{
	vec_clear(&s->segments);
	for (size_t i = 0; i < s->best->count; i++) {
		const struct wire_choice *c = &s->best->items[i];

		if (s->segments.count > 0 && continues(c, vec_last(&s->segments).tid)) {
			vec_last(&s->segments).count++;
		} else {
			struct segment g = {i, 1, c->tid};

			vec_push(&s->segments, g);
		}
	}
}

static bool exhausted(const struct search *s)
{
	return s->rc != 0 || s->stopped || s->stats->attempts >= s->opts->attempts ||
	       limit_now() - s->begin_ns > s->opts->limit_ns;
}

/* Runs the candidate; when it is the same failure with fewer segments it becomes the best. */
static bool attempt(struct search *s)
{
	struct run_result *r = &s->result;

	s->stats->attempts++;
	s->rc = run_again(s->again, 0, s->candidate.items, s->candidate.count, r, s->e);
	s->stopped = r->verdict == RUN_STOPPED;
	if (s->rc != 0 || !run_again_same(s->again, r, s->key))
		return false;
	if (r->wire.choice_lost != 0 ||
	    run_schedule_segments(r->choices.items, r->choices.count) >= s->segments.count)
		return false;
	vec_clear(s->best);
	for (size_t i = 0; i < r->choices.count; i++)
		vec_push(s->best, r->choices.items[i]);
	split(s);
	return true;
}

static void add_segments(struct search *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		for (size_t k = 0; k < s->segments.items[i].count; k++)
			vec_push(&s->candidate, s->best->items[s->segments.items[i].first + k]);
}

/* Adds all segments of [from, to) of one thread. */
static void add_thread(struct search *s, uint16_t tid, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (s->segments.items[i].tid == tid)
			add_segments(s, i, i + 1);
}

/* The candidate is the best with the window [from, to) gathered; false when nothing changes. */
static bool make_gathered(struct search *s, size_t from, size_t to)
{
	bool changed = false;

	vec_clear(&s->candidate);
	add_segments(s, 0, from);
	s->window++;
	for (size_t i = from; i < to; i++) {
		uint16_t tid = s->segments.items[i].tid;

		if (s->seen[tid] == s->window) {
			changed = true;
			continue;
		}
		s->seen[tid] = s->window;
		add_thread(s, tid, from, to);
	}
	add_segments(s, to, s->segments.count);
	return changed;
}

static bool try_cut(struct search *s, size_t keep)
{
	vec_clear(&s->candidate);
	add_segments(s, 0, keep);
	return attempt(s);
}

/* The shortest prefix among those at powers of two from either end. */
static void cut(struct search *s)
{
	for (size_t keep = 0; keep < s->segments.count && !exhausted(s); keep = keep * 2 + 1)
		if (try_cut(s, keep))
			return;
}

/* One pass of windows of this width; true when anything was gained. */
static bool gather(struct search *s, size_t width)
{
	bool gained = false;
	size_t step = width > 6 ? width / 2 : 1;

	for (size_t from = 0; from + 2 < s->segments.count && !exhausted(s);) {
		size_t to = from + width < s->segments.count ? from + width : s->segments.count;

		if (make_gathered(s, from, to) && attempt(s))
			gained = true;
		else
			from += step;
	}
	return gained;
}

/* Next segment of the same thread, the number of segments when there is none. */
static size_t next_of_thread(const struct search *s, size_t i)
{
	size_t j = i + 1;

	while (j < s->segments.count && s->segments.items[j].tid != s->segments.items[i].tid)
		j++;
	return j;
}

/* Segment i waits until just before segment j. */
static bool try_delay(struct search *s, size_t i, size_t j)
{
	vec_clear(&s->candidate);
	add_segments(s, 0, i);
	add_segments(s, i + 1, j);
	add_segments(s, i, i + 1);
	add_segments(s, j, s->segments.count);
	return attempt(s);
}

/* Segment j comes right after segment i. */
static bool try_advance(struct search *s, size_t i, size_t j)
{
	vec_clear(&s->candidate);
	add_segments(s, 0, i + 1);
	add_segments(s, j, j + 1);
	add_segments(s, i + 1, j);
	add_segments(s, j + 1, s->segments.count);
	return attempt(s);
}

/* One pass over all neighbouring segments of the same thread; true when anything was gained. */
static bool join(struct search *s)
{
	bool gained = false;

	for (size_t i = 0; i < s->segments.count && !exhausted(s);) {
		size_t j = next_of_thread(s, i);
		bool better = j < s->segments.count && (try_delay(s, i, j) || try_advance(s, i, j));

		gained |= better;
		i += !better;
	}
	return gained;
}

/* Drops single segments: the guest makes up for them later, if it can. */
static bool drop(struct search *s)
{
	bool gained = false;

	for (size_t i = s->segments.count; i-- > 0 && !exhausted(s);) {
		if (i >= s->segments.count)
			continue;
		vec_clear(&s->candidate);
		add_segments(s, 0, i);
		add_segments(s, i + 1, s->segments.count);
		gained |= attempt(s);
	}
	return gained;
}

static void search(struct search *s)
{
	bool gained = true;

	cut(s);
	for (size_t width = s->segments.count; width > 3 && !exhausted(s); width /= 2)
		gather(s, width);
	while (gained && !exhausted(s)) {
		gained = join(s);
		gained |= drop(s);
	}
}

int run_simplify(const struct run_again *a, const struct run_simplify_opts *o, uint64_t key,
		 struct model_schedule *best, struct run_simplify_stats *stats, struct err *e)
{
	struct search s = {
		.again = a,
		.opts = o,
		.key = key,
		.begin_ns = limit_now(),
		.best = best,
		.stats = stats,
		.result = RUN_RESULT_INIT,
		.e = e,
	};

	stats->attempts = 0;
	stats->segments_before = run_schedule_segments(best->items, best->count);
	s.seen = xcalloc(UINT16_MAX + 1, sizeof(*s.seen));
	split(&s);
	assert(s.segments.count == stats->segments_before);
	search(&s);
	stats->segments_after = s.segments.count;
	vec_free(&s.segments);
	vec_free(&s.candidate);
	free(s.seen);
	run_result_free(&s.result);
	return s.rc;
}
