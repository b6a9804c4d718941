#include "run/fleet/strategy.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"

/* An order should last long enough to be worth handing out, and short enough to share out. */
#define CHUNK_MAX 1000
#define CHUNKS_PER_GUEST 16
/* Strategies that learn begin anew with each order, however many guests there are. */
#define CHUNK_LEARN 4096

struct seeds {
	struct run_strategy ops;
	struct wire_job job;
	uint64_t given; /* runs handed out */
	uint64_t limit, chunk;
};

static int seeds_next(struct run_strategy *base, struct run_order *order)
{
	struct seeds *s = (struct seeds *)base;
	uint64_t left = s->limit - s->given;

	if (left == 0)
		return 0;
	order->job = s->job;
	order->job.seed = s->job.seed + s->given;
	order->job.runs = left < s->chunk ? left : s->chunk;
	s->given += order->job.runs;
	return 1;
}

static void ignore_done(struct run_strategy *base, const struct run_order *order,
			const struct run_result *r)
{
}

static void free_plain(struct run_strategy *s)
{
	free(s);
}

static bool learns(uint32_t strategy)
{
	return strategy == STRATEGY_PCT || strategy == STRATEGY_SURW || strategy == STRATEGY_POS ||
	       strategy == STRATEGY_FEEDBACK || strategy == STRATEGY_MIX;
}

static uint64_t choose_chunk(uint64_t runs, unsigned guests)
{
	uint64_t chunk = runs / (guests * CHUNKS_PER_GUEST);

	if (guests <= 1)
		return runs;
	if (chunk < 1)
		return 1;
	return chunk > CHUNK_MAX ? CHUNK_MAX : chunk;
}

struct run_strategy *run_strategy_seeds(const struct run_strategy_opts *o)
{
	struct seeds *s = xcalloc(1, sizeof(*s));

	assert(o->guests > 0);
	s->ops.next = seeds_next;
	s->ops.done = ignore_done;
	s->ops.free = free_plain;
	s->job = o->job;
	s->limit = o->job.runs ? o->job.runs : UINT64_MAX;
	s->chunk = learns(o->job.strategy) ? CHUNK_LEARN : choose_chunk(s->limit, o->guests);
	return &s->ops;
}

/* The whole search is one order: its state lives in one guest, job after job. */
struct dfs {
	struct run_strategy ops;
	struct wire_job job;
	bool given;
};

static int dfs_next(struct run_strategy *base, struct run_order *order)
{
	struct dfs *s = (struct dfs *)base;

	if (s->given)
		return 0;
	order->job = s->job;
	if (order->job.runs == 0)
		order->job.runs = UINT64_MAX;
	s->given = true;
	return 1;
}

struct run_strategy *run_strategy_dfs(const struct run_strategy_opts *o)
{
	struct dfs *s = xcalloc(1, sizeof(*s));

	s->ops.parallel = 1;
	s->ops.next = dfs_next;
	s->ops.done = ignore_done;
	s->ops.free = free_plain;
	s->job = o->job;
	return &s->ops;
}

void run_strategy_free(struct run_strategy *s)
{
	if (s)
		s->free(s);
}
