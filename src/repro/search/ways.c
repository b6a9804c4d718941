#include "repro/search/ways.h"

#include <assert.h>
#include <string.h>

#define NO_MARKS UINT32_MAX
#define WINDOWS 6   /* lengths of what is changed: 2, 8, 32, … steps */
#define PATIENCE 64 /* changes in vain before they may be anywhere before */

int repro_ways_init(struct repro_ways *w, const struct trace_recording *r, const char *program,
		    struct err *e)
{
	int rc;

	*w = (struct repro_ways){.recording = r};
	rc = run_points_read(&w->points, program, e);
	for (size_t u = 0; u < w->points.marks.count; u++) {
		uint32_t found = NO_MARKS;

		for (uint32_t i = 0; i < r->marks.count; i++)
			if (r->marks.items[i].head.canon == w->points.marks.items[u].head.canon)
				found = i;
		vec_push(&w->marks, found);
	}
	return rc;
}

void repro_ways_fini(struct repro_ways *w)
{
	run_points_fini(&w->points);
	vec_free(&w->marks);
	vec_free(&w->best);
}

void repro_ways_begin(struct repro_ways *w)
{
	vec_clear(&w->best);
	w->agreed = (struct repro_agreement){0, 0};
	w->vain = 0;
	w->left = 0;
}

/* ---- agreement ---- */

struct walker {
	uint64_t at; /* bits taken */
	bool over;   /* left its path, or is behind its recorded end */
};

/* One branch; false when it went another way than recorded. */
static bool follow(const struct repro_ways *w, struct walker *x, const struct trace_task *t,
		   const struct wire_event *e)
{
	uint32_t unit;
	const struct record_point *p = run_points_find(&w->points, e->site, &unit);
	uint64_t way = 0;

	if (!p || w->marks.items[unit] == NO_MARKS ||
	    !trace_marks_has(&w->recording->marks.items[w->marks.items[unit]], p->point))
		return true;
	if (t->bits - x->at < run_points_width(p)) {
		x->over = true;
		return true;
	}
	for (unsigned i = 0; i < run_points_width(p); i++)
		way = way << 1 | trace_task_bit(t, x->at + i);
	x->over = way != e->value;
	if (!x->over)
		x->at += run_points_width(p);
	return !x->over;
}

/* The part of its way that the thread that is farthest from its end has taken. */
static double least_part(const struct repro_ways *w, const struct walker *walkers,
			 const uint32_t *task, size_t threads)
{
	double least = 1;

	for (size_t t = 0; t < threads; t++) {
		uint64_t bits = task[t] < w->recording->tasks.count
					? w->recording->tasks.items[task[t]].bits
					: 0;

		if (bits && (double)walkers[t].at / (double)bits < least)
			least = (double)walkers[t].at / (double)bits;
	}
	return least;
}

/* *left: the event at which a thread left its path first. */
static struct repro_agreement agreement(const struct repro_ways *w, const struct run_result *r,
					const uint32_t *task, size_t *left)
{
	struct walker *walkers = xcalloc(r->threads.count + 1, sizeof(*walkers));
	struct repro_agreement a = {.bits = 0};

	*left = r->events.count;
	for (size_t i = 0; i < r->events.count; i++) {
		const struct wire_event *e = &r->events.items[i];

		if (e->kind != EVENT_BRANCH || e->tid >= r->threads.count ||
		    task[e->tid] >= w->recording->tasks.count || walkers[e->tid].over)
			continue;
		if (!follow(w, &walkers[e->tid], &w->recording->tasks.items[task[e->tid]], e) &&
		    *left == r->events.count)
			*left = i;
	}
	for (size_t t = 0; t < r->threads.count; t++)
		a.bits += walkers[t].at;
	a.least = least_part(w, walkers, task, r->threads.count);
	free(walkers);
	return a;
}

static int compare(struct repro_agreement a, struct repro_agreement b)
{
	if (a.least != b.least)
		return a.least < b.least ? -1 : 1;
	return a.bits < b.bits ? -1 : a.bits > b.bits;
}

void repro_ways_take(struct repro_ways *w, const struct run_result *r, const uint32_t *task)
{
	size_t left, steps = 0;
	struct repro_agreement agreed = agreement(w, r, task, &left);
	uint32_t *next;

	w->vain = compare(agreed, w->agreed) > 0 ? 0 : w->vain + 1;
	if (w->best.count && compare(agreed, w->agreed) < 0)
		return;
	next = xcalloc(r->threads.count + 1, sizeof(*next));
	vec_clear(&w->best);
	for (size_t i = 0; i < r->events.count; i++) {
		const struct wire_event *e = &r->events.items[i];

		if (i == left)
			steps = w->best.count;
		if (e->tid >= r->threads.count || e->kind == EVENT_FAILURE || e->kind == EVENT_EXIT)
			continue;
		/* An event that was there before: its store, which reaches memory. */
		vec_push(&w->best, ((struct repro_step){e->tid, e->tix < next[e->tid], e->tix}));
		if (e->tix >= next[e->tid])
			next[e->tid] = e->tix + 1;
	}
	w->left = left == r->events.count ? w->best.count : steps;
	w->agreed = agreed;
	free(next);
}

/* ---- changes ---- */

static void choose(const struct repro_step *s, struct repro_choices_list *out)
{
	enum choice_kind kind = s->commit ? CHOICE_COMMIT : CHOICE_UNTIL;

	/* Of neighbours of one thread the last one says it all. */
	if (out->count && !s->commit && vec_last(out).kind == CHOICE_UNTIL &&
	    vec_last(out).tid == s->tid)
		vec_last(out).arg = s->tix;
	else
		vec_push(out, ((struct wire_choice){(uint8_t)kind, 0, s->tid, s->tix}));
}

/* Some of a thread's steps in [from, to), or its stores alone, come after the others there. */
static bool is_delayed(const struct repro_step *s, uint16_t tid, bool stores)
{
	return s->tid == tid && (s->commit || !stores);
}

bool repro_ways_draw(const struct repro_ways *w, struct rng *rng, struct repro_choices_list *out)
{
	size_t n = w->best.count, back, from, to;
	bool stores = rng_below(rng, 3) == 0;
	uint16_t tid;

	if (!n)
		return false;
	back = (size_t)2 << 2 * rng_below(rng, WINDOWS);
	if (w->vain > PATIENCE && rng_below(rng, 4) == 0)
		back = n;
	from = w->left - rng_below(rng, (uint32_t)(w->left < back ? w->left : back) + 1);
	from = from < n ? from : n - 1;
	to = from + 1 + rng_below(rng, (uint32_t)(n - from < back ? n - from : back));
	tid = w->best.items[from].tid;
	vec_clear(out);
	for (size_t i = 0; i < from; i++)
		choose(&w->best.items[i], out);
	for (int delayed = 0; delayed < 2; delayed++)
		for (size_t i = from; i < to && i < n; i++)
			if (is_delayed(&w->best.items[i], tid, stores) == delayed)
				choose(&w->best.items[i], out);
	for (size_t i = to; i < n; i++)
		choose(&w->best.items[i], out);
	return true;
}
