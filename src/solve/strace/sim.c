#include "solve/strace/sim.h"

#include <assert.h>

#include "solve/strace/objects.h"

void repro_sim_init(struct repro_sim *s, const struct repro_strace *t, bool buffered)
{
	assert(t->sealed);
	*s = (struct repro_sim){.t = t, .buffered = buffered};
	s->source = xcalloc(t->reads + 1, sizeof(*s->source));
	s->value = xcalloc(t->reads + 1, sizeof(*s->value));
	s->written = xcalloc(t->parts.count + 1, sizeof(*s->written));
	s->picked = xcalloc(t->events.count + 1, sizeof(*s->picked));
	s->woken = xcalloc(t->events.count + 1, sizeof(*s->woken));
	s->last = xcalloc(t->cells.count + 1, sizeof(*s->last));
	s->done = xcalloc(t->events.count + 1, sizeof(*s->done));
	s->objects = repro_objects_new(t);
}

void repro_sim_fini(struct repro_sim *s)
{
	free(s->source);
	free(s->value);
	free(s->written);
	free(s->picked);
	free(s->woken);
	free(s->last);
	free(s->done);
	repro_objects_free(s->objects);
	vec_free(&s->blocks);
	vec_free(&s->broken);
}

static uint64_t evaluate(const struct repro_sim *s, uint32_t expr)
{
	return s->t->values.eval(s->t->values.arg, expr, s->value);
}

static void read_part(struct repro_sim *s, const struct repro_part *p)
{
	uint32_t from = s->last[p->cell];

	/* The own store is still on its way, and what it writes depends on older reads only. */
	if (s->buffered && p->own != REPRO_NONE && !s->done[s->t->parts.items[p->own].event]) {
		from = p->own;
		s->written[from] = evaluate(s, s->t->parts.items[from].value);
	}
	s->source[p->read] = from;
	s->value[p->read] = from == REPRO_NONE ? s->t->cells.items[p->cell] : s->written[from];
}

static void do_parts(struct repro_sim *s, const struct repro_event *e)
{
	for (uint32_t k = e->first; k < e->first + e->count; k++)
		if (s->t->parts.items[k].read != REPRO_NONE)
			read_part(s, &s->t->parts.items[k]);
	for (uint32_t k = e->first; k < e->first + e->count; k++) {
		const struct repro_part *p = &s->t->parts.items[k];

		if (p->value == REPRO_NONE)
			continue;
		s->written[k] = evaluate(s, p->value);
		s->last[p->cell] = k;
	}
}

static void check_conditions(struct repro_sim *s, const uint32_t *rank)
{
	for (uint32_t i = 0; i < s->t->conditions.count; i++)
		if (repro_condition_counts(s->t, &s->t->conditions.items[i], rank) &&
		    !evaluate(s, s->t->conditions.items[i].expr))
			vec_push(&s->broken, i);
}

void repro_sim_run(struct repro_sim *s, const uint32_t *order)
{
	uint32_t n = (uint32_t)s->t->events.count, end = n, by;
	uint32_t *rank = xcalloc(n + 1, sizeof(*rank));

	vec_clear(&s->blocks);
	vec_clear(&s->broken);
	memset(s->last, 0xff, s->t->cells.count * sizeof(*s->last));
	memset(s->picked, 0xff, n * sizeof(*s->picked));
	memset(s->woken, 0xff, n * sizeof(*s->woken));
	memset(s->done, 0, n * sizeof(*s->done));
	for (uint32_t i = 0; i < n; i++)
		rank[order[i]] = i;
	if (s->t->until != REPRO_NONE)
		end = rank[s->t->until];
	repro_objects_reset(s->objects, rank);
	if (s->t->values.begin)
		s->t->values.begin(s->t->values.arg);
	for (uint32_t i = 0; i < n; i++) {
		const struct repro_event *e = &s->t->events.items[order[i]];

		assert(!s->done[order[i]]);
		do_parts(s, e);
		/* Behind the end only memory goes on: its values are asked for, and mean nothing.
		 */
		if (i <= end && !repro_objects_do(s->objects, s, order[i], &by))
			vec_push(&s->blocks, ((struct repro_block){order[i], by}));
		s->done[order[i]] = true;
	}
	check_conditions(s, rank);
	/* Nothing else is wrong, but somebody could go on: the last event is where that shows. */
	if (s->t->stuck.count && !s->blocks.count && n && !repro_objects_stuck(s->objects, s->t))
		vec_push(&s->blocks, ((struct repro_block){REPRO_NONE, REPRO_NONE}));
	free(rank);
}
