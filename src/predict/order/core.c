#include "predict/order/core.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "predict/order/barrier.h"

/* ---- which events matter ---- */

struct usage {
	uint32_t thread; /* the only one so far, PREDICT_NONE before */
	bool many;	 /* more than one thread */
	bool written;
};

static void note_use(struct usage *u, const struct predict_event *ev)
{
	if (u->thread == PREDICT_NONE)
		u->thread = ev->thread;
	else if (u->thread != ev->thread)
		u->many = true;
	u->written |= predict_op_writes(ev->op);
}

static struct usage *usage_new(uint32_t count)
{
	struct usage *u = xcalloc(count + 1, sizeof(*u));

	for (uint32_t i = 0; i < count; i++)
		u[i].thread = PREDICT_NONE;
	return u;
}

static bool matters(const struct predict_event *ev, const struct usage *locs,
		    const struct usage *locks)
{
	switch (ev->op) {
	case OP_READ:
	case OP_WRITE:
	case OP_RMW:
		return locs[ev->object].many && locs[ev->object].written;
	case OP_ACQ:
	case OP_REL:
		return locks[ev->object].many;
	case OP_NOP:
	case OP_BEGIN:
	case OP_END:
		return false;
	default:
		return true;
	}
}

static uint8_t *choose(const struct predict_trace *t, const uint8_t *keep)
{
	uint32_t n = (uint32_t)t->events.count;
	struct usage *locs = usage_new(predict_names_count(&t->locs));
	struct usage *locks = usage_new(predict_names_count(&t->locks));
	uint8_t *in = xcalloc(n + 1, 1);

	for (uint32_t e = 0; e < n; e++) {
		const struct predict_event *ev = &t->events.items[e];

		if (predict_op_accesses(ev->op))
			note_use(&locs[ev->object], ev);
		else if (ev->op == OP_ACQ || ev->op == OP_REL)
			note_use(&locks[ev->object], ev);
	}
	for (uint32_t e = 0; e < n; e++)
		in[e] = matters(&t->events.items[e], locs, locks) || (keep != NULL && keep[e]);
	/* A section must not lose one end, nor a read its writer, when only the other was asked
	 * for. */
	for (uint32_t e = n; keep != NULL && e-- > 0;) {
		if (in[e] && t->rf[e] != PREDICT_NONE)
			in[t->rf[e]] = 1;
		if (in[e] && t->match[e] != PREDICT_NONE)
			in[t->match[e]] = 1;
	}
	/* The last event of a joined thread stands for all of it, so every thread keeps its tail.
	 */
	for (uint32_t i = 0; i < t->thread_count; i++) {
		if (t->start[i + 1] > t->start[i])
			in[t->order[t->start[i + 1] - 1]] = 1;
	}
	free(locs);
	free(locks);
	return in;
}

/* ---- numbering ---- */

static void number_events(struct predict_core *c, const uint8_t *in)
{
	const struct predict_trace *t = c->t;
	uint32_t n = 0, at = 0;

	for (uint32_t e = 0; e < t->events.count; e++)
		n += in[e];
	c->n = n;
	c->start = xcalloc(c->threads + 2, sizeof(*c->start));
	c->ev = xmalloc((n + 1) * sizeof(*c->ev));
	c->of = xmalloc((t->events.count + 1) * sizeof(*c->of));
	for (uint32_t i = 0; i < c->threads; i++) {
		c->start[i] = at;
		for (uint32_t p = t->start[i]; p < t->start[i + 1]; p++) {
			uint32_t e = t->order[p];

			c->of[e] = in[e] ? at : PREDICT_NONE;
			if (in[e])
				c->ev[at++] = e;
		}
	}
	c->start[c->threads] = at;
	c->by_trace = xmalloc((n + 1) * sizeof(*c->by_trace));
	at = 0;
	for (uint32_t e = 0; e < t->events.count; e++) {
		if (in[e])
			c->by_trace[at++] = c->of[e];
	}
}

static uint32_t mapped(const struct predict_core *c, uint32_t e)
{
	return e == PREDICT_NONE ? PREDICT_NONE : c->of[e];
}

static void describe_events(struct predict_core *c)
{
	const struct predict_trace *t = c->t;
	uint32_t n = c->n;

	c->thread = xmalloc((n + 1) * sizeof(*c->thread));
	c->object = xmalloc((n + 1) * sizeof(*c->object));
	c->op = xmalloc(n + 1);
	c->shared = xmalloc(n + 1);
	c->rf = xmalloc((n + 1) * sizeof(*c->rf));
	c->match = xmalloc((n + 1) * sizeof(*c->match));
	for (uint32_t i = 0; i < n; i++) {
		const struct predict_event *ev = &t->events.items[c->ev[i]];

		c->thread[i] = ev->thread;
		c->object[i] = ev->object;
		c->op[i] = ev->op;
		c->shared[i] = (ev->flags & PREDICT_SHARED) != 0;
		c->rf[i] = mapped(c, t->rf[c->ev[i]]);
		c->match[i] = mapped(c, t->match[c->ev[i]]);
	}
}

static void find_steps(struct predict_core *c)
{
	const struct predict_trace *t = c->t;

	if (t->head == NULL)
		return;
	c->head = xmalloc((c->n + 1) * sizeof(*c->head));
	c->tail = xmalloc((c->n + 1) * sizeof(*c->tail));
	for (uint32_t e = 0; e < c->n; e++)
		c->head[e] =
			e > 0 && t->head[c->ev[e - 1]] == t->head[c->ev[e]] ? c->head[e - 1] : e;
	for (uint32_t e = c->n; e-- > 0;)
		c->tail[e] = e + 1 < c->n && c->head[e + 1] == c->head[e] ? c->tail[e + 1] : e;
}

uint32_t predict_core_exempt(const struct predict_core *c, uint32_t exempt)
{
	if (exempt == PREDICT_NONE || !predict_trace_alone(c->t, exempt))
		return PREDICT_NONE;
	return c->of[exempt];
}

/* ---- hard edges ---- */

struct edge_list {
	VEC(struct predict_pair) pairs; /* sig = source, wait = target, core events */
};

static void collect_meetings(const struct predict_core *c, const uint8_t *keep,
			     struct edge_list *list)
{
	struct predict_pairs met = VEC_INIT;

	predict_barrier_edges(c->t, keep, &met);
	for (size_t i = 0; i < met.count; i++)
		vec_push(&list->pairs, ((struct predict_pair){c->of[met.items[i].sig],
							      c->of[met.items[i].wait]}));
	vec_free(&met);
}

static void collect_edges(const struct predict_core *c, struct edge_list *list)
{
	const struct predict_trace *t = c->t;

	for (uint32_t i = 0; i < c->threads; i++) {
		if (t->fork_of[i] != PREDICT_NONE && c->start[i + 1] > c->start[i])
			vec_push(&list->pairs,
				 ((struct predict_pair){c->of[t->fork_of[i]], c->start[i]}));
	}
	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t child = c->object[i];

		if (c->op[i] == OP_JOIN && c->start[child + 1] > c->start[child])
			vec_push(&list->pairs, ((struct predict_pair){c->start[child + 1] - 1, i}));
	}
	for (size_t i = 0; i < t->pairs.count; i++) {
		const struct predict_pair *p = &t->pairs.items[i];

		vec_push(&list->pairs, ((struct predict_pair){c->of[p->sig], c->of[p->wait]}));
	}
}

static void sort_edges(const struct edge_list *list, uint32_t n, bool by_target, uint32_t **first,
		       uint32_t **ends)
{
	uint32_t *f = xcalloc(n + 2, sizeof(*f)), *to;

	to = xmalloc((list->pairs.count + 1) * sizeof(*to));
	for (size_t i = 0; i < list->pairs.count; i++)
		f[(by_target ? list->pairs.items[i].wait : list->pairs.items[i].sig) + 2]++;
	for (uint32_t i = 2; i < n + 2; i++)
		f[i] += f[i - 1];
	for (size_t i = 0; i < list->pairs.count; i++) {
		const struct predict_pair *p = &list->pairs.items[i];

		if (by_target)
			to[f[p->wait + 1]++] = p->sig;
		else
			to[f[p->sig + 1]++] = p->wait;
	}
	*first = f;
	*ends = to;
}

/* ---- indexes ---- */

typedef uint32_t (*key_fn)(const struct predict_core *c, uint32_t e);

static uint32_t key_section(const struct predict_core *c, uint32_t e)
{
	return c->op[e] == OP_ACQ ? c->object[e] : PREDICT_NONE;
}

static uint32_t key_exclusive(const struct predict_core *c, uint32_t e)
{
	return c->op[e] == OP_ACQ && !c->shared[e] ? c->object[e] : PREDICT_NONE;
}

static uint32_t key_write(const struct predict_core *c, uint32_t e)
{
	return predict_op_writes(c->op[e]) ? c->object[e] : PREDICT_NONE;
}

static uint32_t key_initial(const struct predict_core *c, uint32_t e)
{
	return predict_op_reads(c->op[e]) && c->rf[e] == PREDICT_NONE ? c->object[e] : PREDICT_NONE;
}

static uint32_t key_reader(const struct predict_core *c, uint32_t e)
{
	return predict_op_reads(c->op[e]) ? c->rf[e] : PREDICT_NONE;
}

static uint32_t key_access(const struct predict_core *c, uint32_t e)
{
	return predict_core_is_access(c, e) ? c->object[e] : PREDICT_NONE;
}

static void group_items(const struct predict_core *c, struct predict_index *x, uint32_t keys,
			const uint32_t *from)
{
	VEC(struct predict_group) groups = VEC_INIT;

	x->first = xcalloc(keys + 2, sizeof(*x->first));
	for (uint32_t k = 0; k < keys; k++) {
		x->first[k] = (uint32_t)groups.count;
		for (uint32_t i = from[k]; i < from[k + 1]; i++) {
			uint32_t thread = c->thread[x->items[i]];

			if (i == from[k] || vec_last(&groups).thread != thread)
				vec_push(&groups, ((struct predict_group){thread, i, i}));
			vec_last(&groups).end = i + 1;
		}
	}
	x->first[keys] = (uint32_t)groups.count;
	x->groups = groups.items;
}

static void build_index(const struct predict_core *c, struct predict_index *x, uint32_t keys,
			key_fn key)
{
	uint32_t *from = xcalloc(keys + 2, sizeof(*from));
	uint32_t k;

	for (uint32_t e = 0; e < c->n; e++) {
		k = key(c, e);
		if (k != PREDICT_NONE)
			from[k + 2]++;
	}
	for (k = 2; k < keys + 2; k++)
		from[k] += from[k - 1];
	x->items = xmalloc((from[keys + 1] + 1) * sizeof(*x->items));
	for (uint32_t e = 0; e < c->n; e++) {
		k = key(c, e);
		if (k != PREDICT_NONE)
			x->items[from[k + 1]++] = e;
	}
	group_items(c, x, keys, from);
	free(from);
}

static void free_index(struct predict_index *x)
{
	free(x->first);
	free(x->groups);
	free(x->items);
}

struct predict_core *predict_core_new(const struct predict_trace *t, const uint8_t *keep)
{
	struct predict_core *c = xcalloc(1, sizeof(*c));
	struct edge_list edges = {VEC_INIT};
	uint8_t *in = choose(t, keep);
	uint32_t locks = predict_names_count(&t->locks), locs = predict_names_count(&t->locs);

	c->t = t;
	c->threads = t->thread_count;
	number_events(c, in);
	free(in);
	describe_events(c);
	find_steps(c);
	collect_edges(c, &edges);
	collect_meetings(c, keep, &edges);
	sort_edges(&edges, c->n, true, &c->pred_first, &c->pred);
	sort_edges(&edges, c->n, false, &c->succ_first, &c->succ);
	vec_free(&edges.pairs);
	build_index(c, &c->sections, locks, key_section);
	build_index(c, &c->exclusives, locks, key_exclusive);
	build_index(c, &c->writes, locs, key_write);
	build_index(c, &c->initials, locs, key_initial);
	build_index(c, &c->readers, c->n, key_reader);
	build_index(c, &c->accesses, locs, key_access);
	return c;
}

void predict_core_free(struct predict_core *c)
{
	if (c == NULL)
		return;
	free(c->start);
	free(c->ev);
	free(c->thread);
	free(c->object);
	free(c->op);
	free(c->shared);
	free(c->rf);
	free(c->match);
	free(c->head);
	free(c->tail);
	free(c->of);
	free(c->pred_first);
	free(c->pred);
	free(c->succ_first);
	free(c->succ);
	free(c->by_trace);
	free_index(&c->sections);
	free_index(&c->exclusives);
	free_index(&c->writes);
	free_index(&c->initials);
	free_index(&c->readers);
	free_index(&c->accesses);
	free(c);
}

uint32_t predict_core_at_or_after(const struct predict_core *c, uint32_t e)
{
	uint32_t thread = c->t->events.items[e].thread;
	uint32_t low = c->start[thread], high = c->start[thread + 1];

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (c->ev[middle] < e)
			low = middle + 1;
		else
			high = middle;
	}
	return low < c->start[thread + 1] ? low : PREDICT_NONE;
}

/* Index of the first item of the group at or behind the position. */
static uint32_t lower_bound(const struct predict_core *c, const struct predict_index *x,
			    const struct predict_group *g, uint32_t position)
{
	uint32_t bound = c->start[g->thread] + position;
	uint32_t low = g->begin, high = g->end;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (x->items[middle] < bound)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t predict_core_last_below(const struct predict_core *c, const struct predict_index *x,
				 const struct predict_group *g, uint32_t limit)
{
	uint32_t at = lower_bound(c, x, g, limit);

	return at > g->begin ? x->items[at - 1] : PREDICT_NONE;
}

uint32_t predict_core_first_from(const struct predict_core *c, const struct predict_index *x,
				 const struct predict_group *g, uint32_t from)
{
	uint32_t at = lower_bound(c, x, g, from);

	return at < g->end ? x->items[at] : PREDICT_NONE;
}
