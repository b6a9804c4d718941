#include "predict/find/atomic.h"

#include <stdlib.h>

#include "base/mem.h"
#include "predict/find/race.h"

struct pattern {
	char a, c, b;
	const char *text;
};

static const struct pattern patterns[] = {
	{'R', 'W', 'R', "RWR"},
	{'W', 'W', 'R', "WWR"},
	{'W', 'R', 'W', "WRW"},
	{'R', 'W', 'W', "RWW"},
};

static bool acts_as(uint8_t op, char letter)
{
	return letter == 'R' ? predict_op_reads(op) : predict_op_writes(op);
}

static const struct pattern *find_pattern(uint8_t a, uint8_t c, uint8_t b)
{
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		if (acts_as(a, patterns[i].a) && acts_as(c, patterns[i].c) &&
		    acts_as(b, patterns[i].b))
			return &patterns[i];
	}
	return NULL;
}

bool predict_atomic_unserialisable(uint8_t a, uint8_t c, uint8_t b)
{
	return find_pattern(a, c, b) != NULL;
}

const char *predict_atomic_pattern(uint8_t a, uint8_t c, uint8_t b)
{
	const struct pattern *p = find_pattern(a, c, b);

	return p != NULL ? p->text : "none";
}

const char *predict_block_text(enum predict_block block)
{
	static const char *const texts[] = {
		"annotated block",
		"one critical section",
		"two consecutive critical sections of one lock",
		"read and following write",
	};

	return texts[block];
}

/* ---- pairs ---- */

struct scan {
	const struct predict_core *c;
	uint32_t distance;
	bool annotated;
	uint32_t *block;   /* by trace event: annotated block + 1, 0 = outside */
	uint32_t *section; /* by acquisition: next one of the same lock in the thread */
	struct predict_atomic_pairs *out;
};

/* Numbers the outermost begin/end blocks of every thread. */
static void number_blocks(struct scan *s)
{
	const struct predict_trace *t = s->c->t;
	uint32_t number = 0;

	for (uint32_t i = 0; i < t->thread_count; i++) {
		uint32_t depth = 0;

		for (uint32_t p = t->start[i]; p < t->start[i + 1]; p++) {
			uint32_t e = t->order[p];

			if (t->events.items[e].op == OP_BEGIN) {
				s->annotated = true;
				if (depth++ == 0)
					number++;
			} else if (t->events.items[e].op == OP_END && depth > 0) {
				depth--;
			}
			s->block[e] = depth > 0 ? number : 0;
		}
	}
}

/* A thread that waited in between gave the lock away on purpose. */
static bool waited_between(const struct predict_trace *t, uint32_t acq, uint32_t next)
{
	uint32_t thread = t->events.items[acq].thread;

	if (t->match[acq] == PREDICT_NONE)
		return true;
	for (uint32_t p = t->pos[t->match[acq]]; p < t->pos[next]; p++) {
		const struct predict_event *ev = &t->events.items[t->order[t->start[thread] + p]];

		if (ev->was == OP_WAIT || ev->flags & PREDICT_STATE)
			return true;
	}
	return false;
}

/* One lock statement met twice is a loop or two calls, not one intention. */
static bool same_place(const struct predict_trace *t, uint32_t acq, uint32_t next)
{
	uint32_t site = t->events.items[acq].site;

	return site != PREDICT_NONE && site == t->events.items[next].site;
}

static void link_sections(struct scan *s)
{
	const struct predict_core *c = s->c;
	const struct predict_index *x = &c->sections;
	uint32_t locks = predict_names_count(&c->t->locks);

	for (uint32_t g = 0; g < x->first[locks]; g++) {
		for (uint32_t i = x->groups[g].begin; i + 1 < x->groups[g].end; i++) {
			uint32_t acq = c->ev[x->items[i]], next = c->ev[x->items[i + 1]];

			if (!waited_between(c->t, acq, next) && !same_place(c->t, acq, next))
				s->section[acq] = next;
		}
	}
}

static bool list_has(const struct predict_trace *t, uint32_t list, uint32_t acq)
{
	for (; list != 0; list = t->lists.items[list].next) {
		if (t->lists.items[list].acq == acq)
			return true;
	}
	return false;
}

/*
 * b reads in section acq.  Does the section update the location from what b read, or decide by it?
 */
static bool looks_anew(const struct predict_trace *t, uint32_t acq, uint32_t b, uint32_t next)
{
	uint32_t rel = t->match[acq];
	const struct predict_event *ev = t->events.items;

	if (!predict_op_reads(ev[b].op))
		return false;
	if (ev[b].op == OP_RMW || rel == PREDICT_NONE)
		return true;
	if (next != PREDICT_NONE && t->pos[next] < t->pos[rel] && predict_op_writes(ev[next].op))
		return true;
	return t->branches_known && ev[rel].branches > ev[b].branches;
}

/* Block that a and b share by their sections, negative when none; next: access of b's thread after
 * b. */
static int section_block(const struct scan *s, uint32_t a, uint32_t b, uint32_t next)
{
	const struct predict_trace *t = s->c->t;
	int block = -1;

	for (uint32_t l = t->held[a]; l != 0; l = t->lists.items[l].next) {
		uint32_t acq = t->lists.items[l].acq;

		if (list_has(t, t->held[b], acq))
			return BLOCK_SECTION;
		if (s->section[acq] != PREDICT_NONE && list_has(t, t->held[b], s->section[acq]) &&
		    !looks_anew(t, s->section[acq], b, next))
			block = BLOCK_SECTIONS;
	}
	return block;
}

static void consider(struct scan *s, uint32_t a, uint32_t b, uint32_t next)
{
	const struct predict_trace *t = s->c->t;
	int block = -1;

	if (t->events.items[a].flags & (PREDICT_STATE | PREDICT_HIDDEN) ||
	    !predict_race_overlap(&t->events.items[a], &t->events.items[b]) ||
	    predict_trace_head(t, a) == predict_trace_head(t, b))
		return; /* nothing comes between them */
	if (s->annotated)
		block = s->block[a] != 0 && s->block[a] == s->block[b] ? BLOCK_ANNOTATED : -1;
	else
		block = section_block(s, a, b, next);
	if (block < 0 && !s->annotated && t->pos[b] - t->pos[a] <= s->distance &&
	    t->events.items[a].op == OP_READ && t->events.items[b].op == OP_WRITE)
		block = BLOCK_UPDATE;
	if (block >= 0)
		vec_push(s->out, ((struct predict_atomic_pair){a, b, (uint8_t)block}));
}

void predict_atomic_list(const struct predict_core *c, uint32_t distance,
			 struct predict_atomic_pairs *out)
{
	const struct predict_index *x = &c->accesses;
	uint32_t n = (uint32_t)c->t->events.count, locs = predict_names_count(&c->t->locs);
	struct scan s = {.c = c, .distance = distance, .out = out};

	s.block = xcalloc(n + 1, sizeof(*s.block));
	s.section = xmalloc((n + 1) * sizeof(*s.section));
	for (uint32_t e = 0; e < n; e++)
		s.section[e] = PREDICT_NONE;
	number_blocks(&s);
	link_sections(&s);
	for (uint32_t g = 0; g < x->first[locs]; g++) {
		uint32_t end = x->groups[g].end;

		for (uint32_t i = x->groups[g].begin; i + 1 < end; i++)
			consider(&s, c->ev[x->items[i]], c->ev[x->items[i + 1]],
				 i + 2 < end ? c->ev[x->items[i + 2]] : PREDICT_NONE);
	}
	free(s.block);
	free(s.section);
}

/* ---- partners ---- */

/* The access c sees or changes what two sections left open on purpose, as far as one can tell. */
static bool meant_to_be_seen(const struct predict_trace *t, const struct predict_atomic_pair *p,
			     uint32_t c)
{
	const struct predict_event *ev = t->events.items;

	if (p->block != BLOCK_SECTIONS || !predict_op_writes(ev[p->a].op) ||
	    !predict_op_writes(ev[p->b].op) || ev[c].op != OP_READ)
		return false;
	return !predict_trace_sets_disjoint(t, t->lists.items[t->held[p->a]].set,
					    t->lists.items[t->held[c]].set);
}

/* Of a location that is accessed in parts, the three must have something in common. */
static bool meets_both(const struct predict_trace *t, const struct predict_atomic_pair *p,
		       uint32_t c)
{
	const struct predict_event *ev = t->events.items;
	uint64_t from = 0, to = UINT64_MAX;
	const uint32_t all[] = {p->a, p->b, c};

	for (int i = 0; i < 3; i++) {
		const struct predict_event *x = &ev[all[i]];

		if (x->bytes == 0)
			continue;
		from = x->addr > from ? x->addr : from;
		to = x->addr + x->bytes < to ? x->addr + x->bytes : to;
	}
	return from < to;
}

void predict_atomic_partners(const struct predict_core *c, const struct predict_rows *rows,
			     const struct predict_atomic_pair *p, predict_partner_fn visit,
			     void *context)
{
	const struct predict_trace *t = c->t;
	const struct predict_index *x = &c->accesses;
	uint32_t a = c->of[p->a], b = c->of[p->b], loc = c->object[a];
	uint8_t op_a = t->events.items[p->a].op, op_b = t->events.items[p->b].op;

	for (uint32_t g = x->first[loc]; g < x->first[loc + 1]; g++) {
		const struct predict_group *group = &x->groups[g];
		uint32_t done = predict_rows_get(rows, a, group->thread);

		if (group->thread == c->thread[a])
			continue;
		for (uint32_t i = group->begin; i < group->end; i++) {
			uint32_t e = x->items[i];

			if (predict_core_pos(c, e) < done)
				continue; /* must come before a */
			if (predict_rows_before_at(rows, e, c->thread[b]) > predict_core_pos(c, b))
				break; /* must come after b, and so must the rest */
			if (predict_atomic_unserialisable(op_a, t->events.items[c->ev[e]].op,
							  op_b) &&
			    meets_both(t, p, c->ev[e]) && !meant_to_be_seen(t, p, c->ev[e]) &&
			    !visit(context, c->ev[e]))
				return;
		}
	}
}
