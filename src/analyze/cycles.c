#include "analyze/cycles.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "analyze/words.h"

#define MAX_LENGTH 4
#define MAX_CYCLES 64

/* Taking one lock while another may be held. */
struct edge {
	uint32_t taken; /* that takes it */
	uint32_t held;	/* acquisition of the one that is held */
};

struct cycles {
	struct flow *f;
	struct analysis *to;
	VEC(struct edge) edges;
	uint32_t way[MAX_LENGTH];
	uint32_t length;
	uint64_t steps;
};

static const struct token *token_of(const struct flow *f, uint32_t acquisition)
{
	return &f->tokens.items[f->acquisitions.items[acquisition].token];
}

/* May the two acquisitions be of the same lock? */
static bool meet(struct flow *f, uint32_t a, uint32_t b)
{
	struct points *p = &f->w->points;
	const struct token *x = token_of(f, a), *y = token_of(f, b);
	size_t n, m;
	const uint32_t *s = points_set(p, x->node, &n), *t = points_set(p, y->node, &m);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < m; k++)
			if (s[i] != f->w->unknown && locs_meet(&p->locs, s[i], 1, t[k], 1))
				return true;
	return false;
}

/* Certainly the same lock: taking it again makes no order. */
static bool same(const struct flow *f, uint32_t a, uint32_t b)
{
	const struct token *x = token_of(f, a), *y = token_of(f, b);

	return (x->loc != LOC_NONE && x->loc == y->loc) || form_equal(&x->form, &y->form);
}

static struct access as_access(const struct flow *f, const struct edge *e)
{
	const struct taken *t = &f->taken.items[e->taken];
	struct access a = {.body = f->acquisitions.items[t->acquisition].body, .state = t->state};

	return a;
}

static uint32_t thread_of(const struct flow *f, const struct edge *e)
{
	const struct taken *t = &f->taken.items[e->taken];

	return f->w->bodies.items[f->acquisitions.items[t->acquisition].body].thread;
}

/* Do both hold a lock that is neither's order's? */
static bool gated(const struct flow *f, const struct edge *x, const struct edge *y)
{
	const struct state *s = &f->snapshots.items[f->taken.items[x->taken].state];
	const struct state *t = &f->snapshots.items[f->taken.items[y->taken].state];

	for (uint32_t i = 0; i < s->count; i++)
		for (uint32_t k = 0; k < t->count; k++) {
			const struct token *a = &f->tokens.items[s->tokens[i]];
			const struct token *b = &f->tokens.items[t->tokens[k]];

			if (a->loc != LOC_NONE && a->loc == b->loc && !a->pending && !b->pending &&
			    (a->mode == TOKEN_WRITE || b->mode == TOKEN_WRITE))
				return true;
		}
	return false;
}

static bool fits(struct cycles *c, const struct edge *next)
{
	struct access a = as_access(c->f, next);

	for (uint32_t i = 0; i < c->length; i++) {
		const struct edge *old = &c->edges.items[c->way[i]];
		struct access b = as_access(c->f, old);

		if (!flow_beside(c->f, &a, &b) || gated(c->f, next, old))
			return false;
	}
	return true;
}

/* Locks taken for reading by all of them keep nobody out. */
static bool blocks(const struct cycles *c)
{
	for (uint32_t i = 0; i < c->length; i++) {
		const struct edge *e = &c->edges.items[c->way[i]];
		const struct edge *after = &c->edges.items[c->way[(i + 1) % c->length]];
		uint32_t taken = c->f->taken.items[e->taken].acquisition;

		if (token_of(c->f, taken)->mode == TOKEN_READ &&
		    token_of(c->f, after->held)->mode == TOKEN_READ)
			return false;
	}
	return true;
}

static bool known(const struct cycles *c)
{
	const struct finding_event *first;

	for (size_t i = 0; i < c->to->findings.count; i++) {
		const struct finding *f = &c->to->findings.items[i];
		size_t same_places = 0;

		if (strcmp(f->rule, "deadlock") || f->events.count != c->length)
			continue;
		for (size_t k = 0; k < f->events.count; k++)
			for (uint32_t m = 0; m < c->length; m++) {
				const struct edge *e = &c->edges.items[c->way[m]];
				const struct taken *t = &c->f->taken.items[e->taken];
				struct finding_place at = words_place(
					c->f->w, c->f->acquisitions.items[t->acquisition].call);

				first = &f->events.items[k];
				same_places += first->at.line == at.line &&
					       first->at.column == at.column && at.file &&
					       first->at.file && !strcmp(at.file, first->at.file);
				free(at.file);
				free(at.function);
			}
		if (same_places >= c->length)
			return true;
	}
	return false;
}

static void report(struct cycles *c)
{
	struct finding *f;

	if (!blocks(c) || known(c))
		return;
	f = analysis_add(c->to, "deadlock", ANALYSIS_POSSIBLE,
			 c->length == 1 ? "locks of one kind are taken in no order that is known"
					: "locks are taken in an order that goes round");
	for (uint32_t i = 0; i < c->length; i++)
		words_taken(c->f, &c->f->taken.items[c->edges.items[c->way[i]].taken], f);
	vec_last(&c->to->rows).contexts = 1;
}

static void extend(struct cycles *c)
{
	const struct edge *last = &c->edges.items[c->way[c->length - 1]];
	const struct edge *first = &c->edges.items[c->way[0]];
	uint32_t taken = c->f->taken.items[last->taken].acquisition;

	if (++c->steps > 1000000 || c->to->findings.count > 10000)
		return;
	if (meet(c->f, taken, first->held) &&
	    (c->length > 1 || flow_beside_itself(c->f, thread_of(c->f, first))))
		report(c);
	if (c->length == MAX_LENGTH)
		return;
	for (uint32_t i = c->way[0] + 1; i < c->edges.count; i++) {
		bool used = false;

		for (uint32_t k = 0; k < c->length; k++)
			used |= c->way[k] == i;
		if (used || !meet(c->f, taken, c->edges.items[i].held) ||
		    !fits(c, &c->edges.items[i]))
			continue;
		c->way[c->length++] = i;
		extend(c);
		c->length--;
	}
}

static void add_edges(struct cycles *c, uint32_t taken)
{
	const struct flow *f = c->f;
	const struct taken *t = &f->taken.items[taken];
	const struct state *s = &f->snapshots.items[t->state];

	for (uint32_t i = 0; i < f->acquisitions.count; i++) {
		struct edge e = {taken, i};

		if (f->acquisitions.items[i].token == WHOLE_NONE || !flow_bit(s->may, i) ||
		    same(f, i, t->acquisition))
			continue;
		vec_push(&c->edges, e);
	}
}

void cycles_find(struct flow *f, struct analysis *to)
{
	struct cycles c = {.f = f, .to = to};

	for (uint32_t i = 0; i < f->taken.count; i++)
		add_edges(&c, i);
	for (uint32_t i = 0; i < c.edges.count; i++) {
		c.way[0] = i;
		c.length = 1;
		extend(&c);
	}
	vec_free(&c.edges);
}
