#include "solve/strace/sim.h"

#include <assert.h>

#include "solve/strace/objects.h"

void strace_sim_init(struct strace_sim *s, const struct strace *t, bool buffered)
{
	assert(t->sealed);
	*s = (struct strace_sim){.t = t, .buffered = buffered};
	s->source = xcalloc(t->reads + 1, sizeof(*s->source));
	s->value = xcalloc(t->reads + 1, sizeof(*s->value));
	s->written = xcalloc(t->parts.count + 1, sizeof(*s->written));
	s->picked = xcalloc(t->events.count + 1, sizeof(*s->picked));
	s->woken = xcalloc(t->events.count + 1, sizeof(*s->woken));
	s->last = xcalloc(t->cells.count + 1, sizeof(*s->last));
	s->done = xcalloc(t->events.count + 1, sizeof(*s->done));
	s->objects = strace_objects_new(t);
}

void strace_sim_fini(struct strace_sim *s)
{
	free(s->source);
	free(s->value);
	free(s->written);
	free(s->picked);
	free(s->woken);
	free(s->last);
	free(s->done);
	strace_objects_free(s->objects);
	vec_free(&s->blocks);
	vec_free(&s->broken);
}

static uint64_t evaluate(const struct strace_sim *s, uint32_t expr)
{
	return s->t->values.eval(s->t->values.arg, expr, s->value);
}

static void read_part(struct strace_sim *s, const struct strace_part *p)
{
	uint32_t from = s->last[p->cell];

	assert(p->read < s->t->reads && p->cell < s->t->cells.count);
	assert(from == STRACE_NONE || s->t->parts.items[from].cell == p->cell);
	/* The own store is still on its way, and what it writes depends on older reads only. */
	if (s->buffered && p->own != STRACE_NONE && !s->done[s->t->parts.items[p->own].event]) {
		from = p->own;
		s->written[from] = evaluate(s, s->t->parts.items[from].value);
	}
	s->source[p->read] = from;
	s->value[p->read] = from == STRACE_NONE ? s->t->cells.items[p->cell] : s->written[from];
}

static void do_parts(struct strace_sim *s, const struct strace_event *e)
{
	assert(e->first + e->count <= s->t->parts.count);
	for (uint32_t k = e->first; k < e->first + e->count; k++)
		if (s->t->parts.items[k].read != STRACE_NONE)
			read_part(s, &s->t->parts.items[k]);
	for (uint32_t k = e->first; k < e->first + e->count; k++) {
		const struct strace_part *p = &s->t->parts.items[k];

		if (p->value == STRACE_NONE)
			continue;
		s->written[k] = evaluate(s, p->value);
		s->last[p->cell] = k;
	}
}

static void check_conditions(struct strace_sim *s, const uint32_t *rank)
{
	for (uint32_t i = 0; i < s->t->conditions.count; i++)
		if (strace_condition_counts(s->t, &s->t->conditions.items[i], rank) &&
		    !evaluate(s, s->t->conditions.items[i].expr))
			vec_push(&s->broken, i);
}

void strace_sim_run(struct strace_sim *s, const uint32_t *order)
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
	if (s->t->until != STRACE_NONE)
		end = rank[s->t->until];
	strace_objects_reset(s->objects, rank);
	if (s->t->values.begin)
		s->t->values.begin(s->t->values.arg);
	for (uint32_t i = 0; i < n; i++) {
		const struct strace_event *e = &s->t->events.items[order[i]];

		/* The order is one: every event once, a thread's own ones where the rank says. */
		assert(order[i] < n && !s->done[order[i]] && rank[order[i]] == i);
		do_parts(s, e);
		/* Behind the end only memory goes on: its values are asked for, and mean nothing.
		 */
		if (i <= end && !strace_objects_do(s->objects, s, order[i], &by))
			vec_push(&s->blocks, ((struct strace_block){order[i], by}));
		s->done[order[i]] = true;
	}
	check_conditions(s, rank);
	/* Nothing else is wrong, but somebody could go on: the last event is where that shows. */
	if (s->t->stuck.count && !s->blocks.count && n && !strace_objects_stuck(s->objects, s->t))
		vec_push(&s->blocks, ((struct strace_block){STRACE_NONE, STRACE_NONE}));
	free(rank);
}
