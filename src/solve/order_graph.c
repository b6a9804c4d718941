#include "solve/order_graph.h"

#include <assert.h>
#include <string.h>

#define NONE UINT32_MAX

static uint32_t *array(uint32_t n)
{
	return xcalloc((size_t)n + 1, sizeof(uint32_t));
}

static void compress(uint32_t nodes, const struct order_graph_pair *e, size_t n, bool out,
		     uint32_t **first, uint32_t **list)
{
	uint32_t *f = xcalloc((size_t)nodes + 2, sizeof(*f));

	*list = xcalloc(n + 1, sizeof(**list));
	for (size_t i = 0; i < n; i++) {
		assert(e[i].a < nodes && e[i].b < nodes);
		f[(out ? e[i].a : e[i].b) + 2]++;
	}
	for (uint32_t i = 0; i < nodes; i++)
		f[i + 2] += f[i + 1];
	for (size_t i = 0; i < n; i++)
		(*list)[f[(out ? e[i].a : e[i].b) + 1]++] = out ? e[i].b : e[i].a;
	*first = f;
}

/* Nodes whose predecessors are all placed, lowest number first as far as possible. */
static bool first_order(struct order_graph *g)
{
	uint32_t *missing = array(g->nodes), *ready = array(g->nodes), head = 0, tail = 0;

	for (uint32_t v = 0; v < g->nodes; v++) {
		missing[v] = g->fixed_in_first[v + 1] - g->fixed_in_first[v];
		if (!missing[v])
			ready[tail++] = v;
	}
	while (head < tail) {
		uint32_t v = ready[head];

		g->pos[v] = head;
		g->node[head++] = v;
		for (uint32_t i = g->fixed_out_first[v]; i < g->fixed_out_first[v + 1]; i++) {
			if (!--missing[g->fixed_out[i]])
				ready[tail++] = g->fixed_out[i];
		}
	}
	assert(head <= g->nodes);
	free(missing);
	free(ready);
	return head == g->nodes;
}

/* The numbering itself when it is topological: callers number nodes in a good order. */
static bool natural_order(struct order_graph *g)
{
	for (uint32_t v = 0; v < g->nodes; v++) {
		for (uint32_t i = g->fixed_out_first[v]; i < g->fixed_out_first[v + 1]; i++) {
			if (g->fixed_out[i] <= v)
				return false;
		}
	}
	for (uint32_t v = 0; v < g->nodes; v++)
		g->pos[v] = g->node[v] = v;
	return true;
}

bool order_graph_init(struct order_graph *g, uint32_t nodes, const struct order_graph_pair *fixed,
		      size_t n)
{
	*g = (struct order_graph){.nodes = nodes};
	g->pos = array(nodes);
	g->node = array(nodes);
	g->out_head = array(nodes);
	g->in_head = array(nodes);
	g->mark = array(nodes);
	g->via = array(nodes);
	g->via_name = array(nodes);
	g->forward = array(nodes);
	g->backward = array(nodes);
	g->slots = array(nodes);
	for (uint32_t v = 0; v < nodes; v++)
		g->out_head[v] = g->in_head[v] = NONE;
	compress(nodes, fixed, n, true, &g->fixed_out_first, &g->fixed_out);
	compress(nodes, fixed, n, false, &g->fixed_in_first, &g->fixed_in);
	return natural_order(g) || first_order(g);
}

void order_graph_fini(struct order_graph *g)
{
	uint32_t *arrays[] = {g->pos,
			      g->node,
			      g->out_head,
			      g->in_head,
			      g->mark,
			      g->via,
			      g->via_name,
			      g->forward,
			      g->backward,
			      g->slots,
			      g->fixed_out_first,
			      g->fixed_out,
			      g->fixed_in_first,
			      g->fixed_in};

	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
		free(arrays[i]);
	vec_free(&g->named);
}

/* Reaches v in the forward search; true when it is the node whose reaching closes a cycle. */
static bool reach(struct order_graph *g, uint32_t v, uint32_t from, uint32_t name, uint32_t goal)
{
	if (g->mark[v] == g->stamp)
		return false;
	assert(g->forward_count < g->nodes);
	g->mark[v] = g->stamp;
	g->via[v] = from;
	g->via_name[v] = name;
	g->forward[g->forward_count++] = v;
	return v == goal;
}

/* Everything after b that is not after a in the current order; true when a is among it. */
static bool search_forward(struct order_graph *g, uint32_t b, uint32_t a)
{
	if (++g->stamp == 0) { /* marks of old would count as ones of now */
		memset(g->mark, 0, g->nodes * sizeof(*g->mark));
		g->stamp = 1;
	}
	g->forward_count = 0;
	reach(g, b, NONE, NONE, NONE);
	for (uint32_t i = 0; i < g->forward_count; i++) {
		uint32_t v = g->forward[i];

		for (uint32_t k = g->fixed_out_first[v]; k < g->fixed_out_first[v + 1]; k++) {
			uint32_t w = g->fixed_out[k];

			if (g->pos[w] <= g->pos[a] && reach(g, w, v, NONE, a))
				return true;
		}
		for (uint32_t e = g->out_head[v]; e != NONE; e = g->named.items[e].out_next) {
			uint32_t w = g->named.items[e].b;

			if (g->pos[w] <= g->pos[a] && reach(g, w, v, e, a))
				return true;
		}
	}
	return false;
}

static void reach_back(struct order_graph *g, uint32_t v)
{
	if (g->mark[v] == g->stamp)
		return;
	assert(g->backward_count < g->nodes);
	g->mark[v] = g->stamp;
	g->backward[g->backward_count++] = v;
}

static void search_backward(struct order_graph *g, uint32_t a, uint32_t b)
{
	g->backward_count = 0;
	reach_back(g, a);
	for (uint32_t i = 0; i < g->backward_count; i++) {
		uint32_t v = g->backward[i];

		for (uint32_t k = g->fixed_in_first[v]; k < g->fixed_in_first[v + 1]; k++) {
			if (g->pos[g->fixed_in[k]] > g->pos[b])
				reach_back(g, g->fixed_in[k]);
		}
		for (uint32_t e = g->in_head[v]; e != NONE; e = g->named.items[e].in_next) {
			if (g->pos[g->named.items[e].a] > g->pos[b])
				reach_back(g, g->named.items[e].a);
		}
	}
}

static int compare(const void *a, const void *b, void *key)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (key) {
		x = ((const uint32_t *)key)[x];
		y = ((const uint32_t *)key)[y];
	}
	return x < y ? -1 : x > y;
}

static void sort(uint32_t *v, uint32_t n, uint32_t *key)
{
	if (n > 32) {
		qsort_r(v, n, sizeof(*v), compare, key);
		return;
	}
	for (uint32_t i = 1; i < n; i++) {
		uint32_t x = v[i], k = i;

		for (; k && compare(&v[k - 1], &x, key) > 0; k--)
			v[k] = v[k - 1];
		v[k] = x;
	}
}

/* Backward part first, forward part after it, in the ranks both had. */
static void reorder(struct order_graph *g)
{
	uint32_t n = 0;

	sort(g->backward, g->backward_count, g->pos);
	sort(g->forward, g->forward_count, g->pos);
	for (uint32_t i = 0; i < g->backward_count; i++)
		g->slots[n++] = g->pos[g->backward[i]];
	for (uint32_t i = 0; i < g->forward_count; i++)
		g->slots[n++] = g->pos[g->forward[i]];
	assert(n <= g->nodes);
	sort(g->slots, n, NULL);
	n = 0;
	for (uint32_t i = 0; i < g->backward_count; i++, n++) {
		g->pos[g->backward[i]] = g->slots[n];
		g->node[g->slots[n]] = g->backward[i];
	}
	for (uint32_t i = 0; i < g->forward_count; i++, n++) {
		g->pos[g->forward[i]] = g->slots[n];
		g->node[g->slots[n]] = g->forward[i];
	}
	g->moved = true;
}

bool order_graph_add(struct order_graph *g, uint32_t name, uint32_t a, uint32_t b,
		     struct order_graph_names *cycle)
{
	struct order_graph_edge none = {0, 0, NONE, NONE};

	assert(a < g->nodes && b < g->nodes && a != b);
	while (g->named.count <= name)
		vec_push(&g->named, none);
	if (g->pos[a] > g->pos[b]) {
		if (search_forward(g, b, a)) {
			for (uint32_t v = a; v != b; v = g->via[v]) {
				if (g->via_name[v] != NONE)
					vec_push(cycle, g->via_name[v]);
			}
			return false;
		}
		search_backward(g, a, b);
		reorder(g);
	}
	assert(g->pos[a] < g->pos[b]);
	g->named.items[name] = (struct order_graph_edge){a, b, g->out_head[a], g->in_head[b]};
	g->out_head[a] = name;
	g->in_head[b] = name;
	return true;
}

void order_graph_remove(struct order_graph *g, uint32_t name)
{
	const struct order_graph_edge *e = &g->named.items[name];

	assert(name < g->named.count);
	assert(g->out_head[e->a] == name && g->in_head[e->b] == name);
	g->out_head[e->a] = e->out_next;
	g->in_head[e->b] = e->in_next;
}

void order_graph_set_order(struct order_graph *g, const uint32_t *pos)
{
	for (uint32_t v = 0; v < g->nodes; v++) {
		assert(pos[v] < g->nodes);
		g->pos[v] = pos[v];
		g->node[pos[v]] = v;
	}
	g->moved = false;
}
