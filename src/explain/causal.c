#include "explain/causal.h"

#include <assert.h>

struct edge {
	uint32_t from, to;
};

struct edges {
	VEC_FIELDS(struct edge);
};

static void add(struct edges *e, uint32_t from, uint32_t to)
{
	if (from != EXPLAIN_NONE)
		vec_push(e, ((struct edge){from, to}));
}

/* Program order, and what threads owe to those that began them and that waited for them. */
static void add_threads(const struct explain_exec *x, struct edges *out)
{
	size_t n = x->run.threads.count;
	uint32_t *last = xmalloc((n + 1) * sizeof(*last)),
		 *creator = xmalloc((n + 1) * sizeof(*creator));

	memset(last, 0xff, (n + 1) * sizeof(*last));
	memset(creator, 0xff, (n + 1) * sizeof(*creator));
	for (uint32_t i = 0; i < x->ops.count; i++) {
		const struct wire_event *v = explain_event(x, i);

		assert(v->tid < n);
		add(out, last[v->tid] != EXPLAIN_NONE ? last[v->tid] : creator[v->tid], i);
		if (v->kind == EVENT_THREAD_JOIN && v->aux < n)
			add(out, last[v->aux], i);
		if (v->kind == EVENT_THREAD_CREATE && v->aux < n)
			creator[v->aux] = i;
		last[v->tid] = i;
	}
	free(last);
	free(creator);
}

static void sort_in(struct explain_causal *c, const struct edges *e)
{
	size_t n = c->x->ops.count;
	uint32_t *at;

	c->begin = xcalloc(n + 2, sizeof(*c->begin));
	c->before = xmalloc((e->count + 1) * sizeof(*c->before));
	at = xmalloc((n + 1) * sizeof(*at));
	for (size_t i = 0; i < e->count; i++)
		c->begin[e->items[i].to + 1]++;
	for (size_t i = 0; i < n; i++)
		c->begin[i + 1] += c->begin[i];
	memcpy(at, c->begin, n * sizeof(*at));
	for (size_t i = 0; i < e->count; i++) {
		assert(e->items[i].from < e->items[i].to);
		c->before[at[e->items[i].to]++] = e->items[i].from;
	}
	free(at);
}

static void make_prints(struct explain_causal *c)
{
	const struct explain_exec *x = c->x;

	c->print = xmalloc((x->ops.count + 1) * sizeof(*c->print));
	c->whole = run_result_key(&x->run) * (x->run.verdict == RUN_FAILURE);
	for (uint32_t i = 0; i < x->ops.count; i++) {
		uint64_t past = 0;

		for (uint32_t k = c->begin[i]; k < c->begin[i + 1]; k++)
			past += lookup_mix(3, c->print[c->before[k]]);
		c->print[i] = lookup_mix(lookup_mix(x->ops.items[i].key, explain_event(x, i)->site),
					 past);
		c->whole += c->print[i];
	}
}

void explain_causal_init(struct explain_causal *c, const struct explain_exec *x)
{
	struct edges e = VEC_INIT;
	bool left_out;

	*c = (struct explain_causal){.x = x};
	explain_conflicts_find(x, SIZE_MAX, &c->pairs, &left_out);
	add_threads(x, &e);
	for (size_t i = 0; i < c->pairs.count; i++)
		add(&e, c->pairs.items[i].first, c->pairs.items[i].second);
	sort_in(c, &e);
	make_prints(c);
	vec_free(&e);
}

void explain_causal_fini(struct explain_causal *c)
{
	vec_free(&c->pairs);
	free(c->begin);
	free(c->before);
	free(c->print);
	*c = (struct explain_causal){.x = NULL};
}

void explain_causal_after(const struct explain_causal *c, uint32_t op, bool *after)
{
	memset(after, 0, c->x->ops.count * sizeof(*after));
	after[op] = true;
	for (uint32_t i = op + 1; i < c->x->ops.count; i++)
		for (uint32_t k = c->begin[i]; k < c->begin[i + 1] && !after[i]; k++)
			after[i] = after[c->before[k]];
}
