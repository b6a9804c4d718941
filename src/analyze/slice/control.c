#include "analyze/slice/control.h"

#include <string.h>

#include <llvm-c/Core.h>

#define NONE UINT32_MAX
#define REACH_MAX 4096u /* blocks; of larger functions nothing is known */

/* The graph with its end, which is the last number. */
struct graph {
	uint32_t end;
	struct control_list *next, *prev;
	uint32_t *certain; /* the next block that surely follows */
	uint32_t *way;	   /* number on the way back from the end */
	struct control_list order;
};

static void add_edge(struct graph *g, uint32_t from, uint32_t to)
{
	vec_push(&g->next[from], to);
	vec_push(&g->prev[to], from);
}

/* Numbers blocks in the order in which a search from the end leaves them. */
static void number(struct graph *g, uint32_t from, bool *seen)
{
	VEC(uint64_t) path = VEC_INIT; /* block and next edge */

	seen[from] = true;
	vec_push(&path, (uint64_t)from << 32);
	while (path.count) {
		uint64_t *top = &vec_last(&path);
		uint32_t at = (uint32_t)(*top >> 32), k = (uint32_t)*top;

		if (k == g->prev[at].count) {
			vec_push(&g->order, at);
			path.count--;
			continue;
		}
		++*top;
		if (seen[g->prev[at].items[k]])
			continue;
		seen[g->prev[at].items[k]] = true;
		vec_push(&path, (uint64_t)g->prev[at].items[k] << 32);
	}
	vec_free(&path);
}

static void make_graph(struct graph *g, const struct cfg *cfg)
{
	uint32_t n = (uint32_t)cfg->blocks.count, to;
	bool *seen = xcalloc(n + 1u, sizeof(bool));

	g->end = n;
	g->next = xcalloc(n + 1u, sizeof(*g->next));
	g->prev = xcalloc(n + 1u, sizeof(*g->prev));
	g->certain = xcalloc(n + 1u, sizeof(uint32_t));
	g->way = xcalloc(n + 1u, sizeof(uint32_t));
	for (uint32_t b = 0; b < n; b++) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(cfg->blocks.items[b]);

		for (unsigned k = 0; k < LLVMGetNumSuccessors(last); k++)
			if (cfg_index(cfg, LLVMGetSuccessor(last, k), &to))
				add_edge(g, b, to);
		if (!g->next[b].count)
			add_edge(g, b, n);
	}
	/* Who never comes to the end goes there from its last block. */
	number(g, n, seen);
	for (uint32_t b = n; b-- > 0;) {
		if (seen[b])
			continue;
		add_edge(g, b, n);
		number(g, b, seen);
	}
	memset(seen, 0, (n + 1u) * sizeof(bool));
	vec_clear(&g->order);
	number(g, n, seen);
	for (uint32_t i = 0; i < g->order.count; i++)
		g->way[g->order.items[i]] = (uint32_t)g->order.count - 1 - i;
	free(seen);
}

static uint32_t meet(const struct graph *g, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (g->way[a] > g->way[b])
			a = g->certain[a];
		while (g->way[b] > g->way[a])
			b = g->certain[b];
	}
	return a;
}

/* Immediate post-dominators, as ir/cfg.c finds dominators. */
static void find_certain(struct graph *g)
{
	bool changed = true;

	memset(g->certain, 0xff, (g->end + 1u) * sizeof(uint32_t));
	g->certain[g->end] = g->end;
	while (changed) {
		changed = false;
		for (size_t i = g->order.count - 1; i-- > 0;) {
			uint32_t b = g->order.items[i], best = NONE;

			for (size_t k = 0; k < g->next[b].count; k++) {
				uint32_t to = g->next[b].items[k];

				if (g->certain[to] != NONE)
					best = best == NONE ? to : meet(g, best, to);
			}
			changed |= g->certain[b] != best;
			g->certain[b] = best;
		}
	}
}

static void find_reach(struct control *c, const struct graph *g)
{
	VEC(uint32_t) todo = VEC_INIT;

	if (c->count > REACH_MAX)
		return;
	c->reach = xcalloc((size_t)c->count * c->count + 1, sizeof(bool));
	for (uint32_t from = 0; from < c->count; from++) {
		bool *row = &c->reach[(size_t)from * c->count];

		vec_push(&todo, from);
		while (todo.count) {
			uint32_t b = vec_pop(&todo);

			for (size_t k = 0; k < g->next[b].count; k++) {
				uint32_t to = g->next[b].items[k];

				if (to == g->end || row[to])
					continue;
				row[to] = true;
				vec_push(&todo, to);
			}
		}
	}
	vec_free(&todo);
}

void control_init(struct control *c, const struct cfg *cfg)
{
	struct graph g = {.end = 0};

	*c = (struct control){.count = (uint32_t)cfg->blocks.count};
	c->on = xcalloc(c->count + 1u, sizeof(*c->on));
	make_graph(&g, cfg);
	find_certain(&g);
	for (uint32_t b = 0; b < c->count; b++)
		for (size_t k = 0; k < g.next[b].count; k++)
			for (uint32_t to = g.next[b].items[k]; to != g.certain[b] && to != g.end;
			     to = g.certain[to])
				vec_push(&c->on[to], b);
	find_reach(c, &g);
	for (uint32_t b = 0; b <= c->count; b++) {
		vec_free(&g.next[b]);
		vec_free(&g.prev[b]);
	}
	free(g.next);
	free(g.prev);
	free(g.certain);
	free(g.way);
	vec_free(&g.order);
}

void control_fini(struct control *c)
{
	for (uint32_t b = 0; b < c->count; b++)
		vec_free(&c->on[b]);
	free(c->on);
	free(c->reach);
	*c = (struct control){.count = 0};
}
