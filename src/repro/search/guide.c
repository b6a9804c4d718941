#include "repro/search/guide.h"

#include "model/path.h"
#include "repro/stamps.h"

/* An event of an execution, with what is known of its time. */
struct placed {
	uint32_t tid, tix;
	uint8_t kind;
	struct repro_span span;
	double time;	   /* in the schedule being drawn */
};

struct repro_guide {
	const struct trace_recording *recording;
	VEC(struct placed) events; /* by thread and place */
	VEC(uint32_t) task;	   /* by tid */
};

struct repro_guide *repro_guide_new(const struct trace_recording *r)
{
	struct repro_guide *g = xcalloc(1, sizeof(*g));

	g->recording = r;
	return g;
}

void repro_guide_free(struct repro_guide *g)
{
	if (!g)
		return;
	vec_free(&g->events);
	vec_free(&g->task);
	free(g);
}

/* ---- threads ---- */

static void map_threads(struct repro_guide *g, const struct run_result *r)
{
	vec_clear(&g->task);
	for (size_t i = 0; i < r->threads.count; i++) {
		const struct wire_thread *t = &r->threads.items[i];
		uint32_t task = i == 0 ? 0 : REPRO_NO_TASK;

		if (i > 0 && t->parent < g->task.count && g->task.items[t->parent] != REPRO_NO_TASK)
			task = model_path_child(g->recording, g->task.items[t->parent],
						t->child_index);
		vec_push(&g->task, task < g->recording->tasks.count ? task : REPRO_NO_TASK);
	}
}

/* ---- stamps ---- */

/* Gives the events [first, last) of a thread their times; how many stamps found their event. */
static uint64_t place_thread(struct repro_guide *g, uint32_t first, uint32_t last, uint32_t task)
{
	uint32_t n = last - first;
	struct repro_span *spans = xcalloc(n + 1, sizeof(*spans));
	uint8_t *kinds = xcalloc(n + 1, sizeof(*kinds));
	uint64_t found;

	for (uint32_t i = 0; i < n; i++)
		kinds[i] = g->events.items[first + i].kind;
	found = repro_stamps_spread(g->recording, task, kinds, n, spans);
	for (uint32_t i = 0; i < n; i++)
		g->events.items[first + i].span = spans[i];
	free(spans);
	free(kinds);
	return found;
}

static int by_thread(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->tix < y->tix ? -1 : x->tix > y->tix;
}

/* Attempts in vain have no stamp. */
static uint8_t stamped_kind(const struct wire_event *e)
{
	return e->kind == EVENT_TRYLOCK && e->value ? 0 : e->kind;
}

uint64_t repro_guide_take(struct repro_guide *g, const struct run_result *r)
{
	uint64_t found = 0;
	uint32_t first = 0;

	map_threads(g, r);
	vec_clear(&g->events);
	for (size_t i = 0; i < r->events.count; i++) {
		const struct wire_event *e = &r->events.items[i];

		if (e->tid < g->task.count && e->kind != EVENT_FAILURE && e->kind != EVENT_EXIT)
			vec_push(&g->events, ((struct placed){.tid = e->tid, .tix = e->tix,
							      .kind = stamped_kind(e)}));
	}
	if (g->events.count)
		qsort(g->events.items, g->events.count, sizeof(g->events.items[0]), by_thread);
	for (uint32_t i = 0; i < g->events.count; i++) {
		if (i + 1 < g->events.count && g->events.items[i + 1].tid == g->events.items[i].tid)
			continue;
		found += place_thread(g, first, i + 1, g->task.items[g->events.items[i].tid]);
		first = i + 1;
	}
	return found;
}

const uint32_t *repro_guide_tasks(const struct repro_guide *g)
{
	return g->task.items;
}

/* ---- schedules ---- */

static int by_time(const void *a, const void *b)
{
	const struct placed *x = *(const struct placed *const *)a;
	const struct placed *y = *(const struct placed *const *)b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return by_thread(x, y);
}

static double unit(struct rng *rng)
{
	return (double)rng_below(rng, 1u << 20) / (1u << 20);
}

/* Times of a thread never go back. */
static void draw_times(struct repro_guide *g, double shake, struct rng *rng)
{
	double last = 0, lead = 0;

	for (size_t i = 0; i < g->events.count; i++) {
		struct placed *p = &g->events.items[i];
		double room = (double)(p->span.to - p->span.from);

		if (i == 0 || g->events.items[i - 1].tid != p->tid) {
			last = 0;
			lead = 0;
		}
		/* Threads are ahead or behind for a while, not event by event. */
		if (room > 0 && rng_below(rng, 4) == 0)
			lead = (unit(rng) - 0.5) * 2 * shake;
		p->time = (double)p->span.from + room * p->span.part + room * lead;
		if (p->time < last)
			p->time = last;
		last = p->time;
	}
}

void repro_guide_draw(struct repro_guide *g, double shake, struct rng *rng,
		      struct repro_choices_list *out)
{
	const struct placed **sorted = xcalloc(g->events.count + 1, sizeof(*sorted));

	draw_times(g, shake, rng);
	for (size_t i = 0; i < g->events.count; i++)
		sorted[i] = &g->events.items[i];
	qsort(sorted, g->events.count, sizeof(*sorted), by_time);
	vec_clear(out);
	for (size_t i = 0; i < g->events.count; i++) {
		const struct placed *p = sorted[i];

		/* Of neighbours of one thread the last one says it all. */
		if (i + 1 < g->events.count && sorted[i + 1]->tid == p->tid)
			continue;
		vec_push(out, ((struct wire_choice){CHOICE_UNTIL, 0, (uint16_t)p->tid, p->tix}));
	}
	free(sorted);
}
